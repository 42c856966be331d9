"""Texts without secrets and without addresses, fit to be shown to strangers. Pure."""

import re
from collections.abc import Iterable
from ipaddress import ip_address

from plugin_bridge.logs import masked

_HARMLESS = {"127.0.0.1", "0.0.0.0", "::1", "::", "localhost"}  # noqa: S104
_V4 = re.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.]*\d)")
_V6 = re.compile(r"(?<![\w:.])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:%\w+)?(?![\w:])")
_SECRET = re.compile(
    r"(?i)\b((?:[\w-]*(?:password|passwd|secret|token|api[_-]?key))[\"']?\s*[:=]\s*)"
    r"(\"[^\"\n]*\"|'[^'\n]*'|[^\s,}#]+)"
)
_BEARER = re.compile(r"(?i)\b(bearer )\S+")
_PLACE = re.compile(r"(?i)\b((?:address|host)[\"']?\s*[:=]\s*)(\"[^\"\n]*\"|'[^'\n]*'|[^\s,}#]+)")
_URL = re.compile(r"(?i)\b(wss?|https?)://[^\s/\"'<>]+")


class Masking:
    """`known`: words that are addresses or names of machines and people's folders."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        words = {word for word in known if len(word) > 2 and word not in _HARMLESS}
        longest_first = sorted(words, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, longest_first))) if words else None

    def text(self, text: str) -> str:
        """Cost: linear."""
        text = _BEARER.sub(r"\1<secret>", masked(text))
        text = _SECRET.sub(r"\1<secret>", text)
        text = _PLACE.sub(_place, text)
        text = _URL.sub(_url, text)
        if self._known:
            text = self._known.sub("<masked>", text)
        return _V6.sub(_address, _V4.sub(_address, text))


def _place(found: re.Match[str]) -> str:
    value = found[2].strip("\"'")
    host = (
        value.rpartition(":")[0] if re.search(r":\d+$", value) and value.count(":") == 1 else value
    )
    return found[0] if host in _HARMLESS else f"{found[1]}<address>"


def _url(found: re.Match[str]) -> str:
    host = re.sub(r":\d+$", "", found[0].partition("://")[2]).strip("[]")
    return found[0] if host in _HARMLESS else f"{found[1]}://<address>"


def _address(found: re.Match[str]) -> str:
    text = found[0]
    try:
        ip_address(text.partition("%")[0])
    except ValueError:
        return text
    return text if text in _HARMLESS else "<address>"
