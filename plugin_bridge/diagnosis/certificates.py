"""The certificate for wss://: can it be used, until when, and does the daemon show it?"""

import asyncio
import re
import ssl
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from plugin_bridge.config import Listen
from plugin_bridge.diagnosis.findings import Finding, bad, ok, warning
from plugin_bridge.diagnosis.machine import reachable

_SECONDS = 3.0
_SOON_DAYS = 14.0
_SOON_SHARE = 1 / 3
"""Of the time that it is valid; some are made for a few days only."""
_FIRST = re.compile(r"-----BEGIN (?:TRUSTED |X509 )?CERTIFICATE-----(.*?)-----END ", re.DOTALL)
"""All the names under which OpenSSL takes one."""
_VALIDITY = re.compile(rb"\x30.((?:\x17\x0d|\x18\x0f)\d+Z)((?:\x17\x0d|\x18\x0f)\d+Z)", re.DOTALL)
"""Two times after each other, as only its validity has them (RFC 5280, 4.1.2.5)."""
_RENEW = "renew it, then restart the daemon"


async def certificate(listen: Listen, *, running: bool, now: float) -> AsyncIterator[Finding]:
    """Nothing where there is none to be. `running`: whether a daemon is."""
    if listen.tls is None:
        return
    file = listen.tls.certificate
    try:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(file, listen.tls.key, password=_no_password)
        there = _first_of(file)
        _validity(there)  # all that is said of it needs that
    except (OSError, ValueError) as error:
        yield bad(
            "certificate",
            f"{file} and {listen.tls.key} cannot be used: "
            f"{getattr(error, 'strerror', None) or error}",
            "name the PEM files of a certificate and its key under `listen.tls` in config.yml",
        )
        return
    yield _judged(there, str(file), now)
    if running and listen.port and (shown := await _shown(listen)) not in (there, None):
        yield warning(
            "certificate",
            f"the daemon still shows the one that it was started with, {_span(shown)}",
            f"restart the daemon, so that it shows {file}",
        )


def _no_password() -> str:
    """Without this, OpenSSL would ask on the terminal."""
    raise ValueError("the key is protected by a pass phrase, which a daemon cannot be asked for")


def _first_of(file: Path) -> bytes:
    """The certificate itself stands in front of those of its issuers."""
    found = _FIRST.search(file.read_text(encoding="ascii", errors="replace"))
    if found is None:
        raise ValueError("there is no certificate in PEM form in it")
    return ssl.PEM_cert_to_DER_cert(f"{ssl.PEM_HEADER}{found[1]}{ssl.PEM_FOOTER}")


def _judged(found: bytes, name: str, now: float) -> Finding:
    since, until = _validity(found)
    soon = min(_SOON_DAYS * 86_400, (until - since) * _SOON_SHARE)
    if until <= now:
        return bad("certificate", f"{name} has expired, {_span(found)}", _RENEW)
    if since > now:
        cure = "see whether the clock of this machine is right (timedatectl)"
        return bad("certificate", f"{name} is not valid yet, {_span(found)}", cure)
    if until - now < soon:
        return warning("certificate", f"{name} expires soon, {_span(found)}", _RENEW)
    return ok("certificate", f"{name} can be used, {_span(found)}")


async def _shown(listen: Listen) -> bytes | None:
    """What the daemon shows to whoever connects; None where nobody answers."""
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE  # it is looked at, and nothing is said to it
    try:
        async with asyncio.timeout(_SECONDS):
            host = reachable(listen.host)
            _, writer = await asyncio.open_connection(host, listen.port, ssl=context)
    except (OSError, TimeoutError):
        return None
    with closing(writer):
        tls: ssl.SSLObject = writer.get_extra_info("ssl_object")
        return tls.getpeercert(binary_form=True)


def _validity(certificate: bytes) -> tuple[float, float]:
    """From when to when, seconds since 1970."""
    found = _VALIDITY.search(certificate)
    if found is None:
        raise ValueError("it has no dates")
    since, until = (_moment(field) for field in found.groups())
    return since, until


def _moment(field: bytes) -> float:
    """An ASN.1 time: two digits of the year, or four."""
    form = "%y%m%d%H%M%SZ" if field.startswith(b"\x17") else "%Y%m%d%H%M%SZ"
    return datetime.strptime(field[2:].decode(), form).replace(tzinfo=UTC).timestamp()


def _span(certificate: bytes) -> str:
    days = (datetime.fromtimestamp(moment, UTC) for moment in _validity(certificate))
    return "valid from {:%Y-%m-%d} to {:%Y-%m-%d}".format(*days)
