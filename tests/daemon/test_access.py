"""Who gets in, over what."""

from __future__ import annotations

import asyncio
import ssl

import pytest
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
    load_pem_private_key,
)
from websockets.asyncio.client import connect

from .certificates import private, with_certificate
from .mod import Mod, awaited
from .running import Home, run_cli, settings


@awaited
async def test_a_certificate_makes_the_link_private(home: Home) -> None:
    trusting = with_certificate(home)
    with home.serving() as daemon:
        assert "without TLS" not in daemon.log
        url = private(daemon.url)
        header = {"Authorization": f"Bearer {home.tokens['survival']}"}
        async with connect(url, ssl=trusting, additional_headers=header) as socket:
            await socket.ping()
        with pytest.raises(ssl.SSLCertVerificationError):
            async with connect(url, additional_headers=header):
                pass


def test_a_certificate_that_is_not_there_keeps_the_daemon_from_starting(home: Home) -> None:
    listen = "listen: {port: 0, tls: {certificate: no.pem, key: no.pem}}"
    home.save(settings().replace("listen: {port: 0}", listen))
    result = run_cli(home.folder, "serve", "--config", "config.yml")
    assert result.returncode == 1
    assert "no.pem" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_key_with_a_pass_phrase_is_refused_and_nobody_is_asked_for_it(home: Home) -> None:
    with_certificate(home)
    key = load_pem_private_key((home.folder / "key.pem").read_bytes(), None)
    locked = key.private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret")
    )
    (home.folder / "key.pem").write_bytes(locked)
    result = run_cli(home.folder, "serve", "--config", "config.yml")
    assert result.returncode == 1
    assert "key.pem for TLS: it is protected by a pass phrase" in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_serving_the_world_without_tls_is_warned_of(home: Home) -> None:
    home.save(settings().replace("listen: {port: 0}", "listen: {host: 0.0.0.0, port: 0}"))
    with home.serving() as daemon:
        assert "listening on 0.0.0.0 without TLS" in daemon.log


@awaited
async def test_events_belong_to_the_server_of_the_token_whatever_they_say(home: Home) -> None:
    await asyncio.to_thread(home.add, "duels")
    with home.serving() as daemon:
        mod = Mod()
        async with mod.connected(daemon.url, home.tokens["duels"]) as welcome:
            assert welcome["server"] == "duels"
            await mod.kill("ann", "bob", server="survival")
    lanes = home.rows("SELECT server FROM events JOIN lanes USING (lane) WHERE kind = 'kill'")
    assert lanes == [("duels",)]
