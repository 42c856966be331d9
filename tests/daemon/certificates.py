"""A daemon with a certificate, and somebody who trusts it."""

from __future__ import annotations

import ssl
from datetime import datetime

import trustme

from .running import Home, settings


def with_certificate(
    home: Home, *, port: int = 0, since: datetime | None = None, until: datetime | None = None
) -> ssl.SSLContext:
    """Lets the daemon that will start there speak TLS on all addresses; what trusts it."""
    authority = trustme.CA()
    certificate = authority.issue_cert("localhost", "127.0.0.1", not_before=since, not_after=until)
    certificate.private_key_pem.write_to_path(home.folder / "key.pem")
    for number, blob in enumerate(certificate.cert_chain_pems):
        blob.write_to_path(home.folder / "chain.pem", append=number > 0)
    listen = f"listen: {{host: 0.0.0.0, port: {port}, tls: "
    listen += "{certificate: chain.pem, key: key.pem}}"
    home.save(settings().replace("listen: {port: 0}", listen))
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    return trusting


def private(url: str) -> str:
    """The address under which it is reached over TLS, from that of `Daemon`."""
    return url.replace("ws://0.0.0.0", "wss://127.0.0.1")
