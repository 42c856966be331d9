"""Texts without secrets and without addresses, fit to be shown to strangers. Pure.

It rather masks too much: behind a word such as `password` nobody can know where the secret ends, so
the line ends there.
"""

import re
from collections.abc import Iterable
from ipaddress import ip_address

from plugin_bridge.logs import masked

MASKED = """
What is masked, in logs, settings and findings: tokens of adr-bridge; what follows `password`,
`pass`, `pwd`, `secret`, `token`, `key`, `Authorization`, `Cookie` and their like, up to the end of
the line; what follows a command that somebody typed, and what is said in chat where it has one of
the usual forms; URLs, but for their scheme; words with an @ in them; IP addresses and host names
with a dot; hosts without one if config.yml names them, and this machine's; names of home folders;
private keys, and long words of letters and digits. Not masked are 127.0.0.1 and its like, names of
players and of files, players' ids, and what nobody could tell from other words, such as a password
that stands by itself.
""".strip().replace("\n", " ")

_HARMLESS = {"127.0.0.1", "0.0.0.0", "::1", "::", "localhost"}  # noqa: S104
_REST = r"[^\n]*"
_SIGN = r"[:=：＝>|]"
_BEHIND = rf"(?:[\"']?[ \t]*{_SIGN}[ \t]*[|>]?[+-]?[ \t]*\n?|\b[^\n:=：＝>|]{{0,60}}{_SIGN})"
"""A value may begin in the next line, and be told with some words: `token of survival: x`."""
_ANY = (
    r"passw|passphrase|passcode|passwd|secret|token|credential|authorization|cookie|api[_-]?key|"
    r"kennwort|пароль|密码|密碼|口令|パスワード|비밀번호|contrase|mot[ _]de[ _]passe|senha|hasł"
)
_WHOLE = r"\w{0,30}(?:pass|pwd|key|auth)|pw|pin|session(?:[ _-]?id)?|jwt|psk|otp|code|login|seed"
_SECRETS = (
    # password: x    rcon.password=x    the token of survival: x    keys: x
    rf"(?:{_ANY})[\w-]{{0,40}}{_BEHIND}",
    rf"(?<![^\W_])(?:{_WHOLE})s?[\"']?[ \t]*{_SIGN}[ \t]*\n?",
    # the password is x    new password x    key x1    --token x    -px
    r"(?:passw|passphrase|passwd|kennwort|credential|(?<![^\W_])(?:secret|pin))[\w-]{0,40}[ \t]+",
    r"(?<![^\W_])(?:pass|pwd|pw|token|key)[ \t]+(?:is|was|ist|to)[ \t]+",
    r"(?<![^\W_])(?:pass|pwd|pw|token|key|auth|code|session)[ \t]+(?=[^\s(]*\d)",
    r"(?<!\S)--?[\w.-]{0,40}(?:pass|pwd|pw|secret|token|key|auth)[\w-]{0,40}[= \t]+",
    r"(?<!\S)-p[ \t]*(?=\S)",
    r"\b(?:bearer|basic|digest)[ \t]+(?=\S)",
    # /login x    command: login x    .login x
    r"(?<![\w/.])/[\w:.-]{1,64}[ \t]+(?=\S)",
    r"\bcommand\b[^\n:]{0,40}:[ \t]*[^\s:]{1,64}[ \t]+(?=\S)",
    r"(?<![^\W_])(?:login|log in|register|reg|changepass\w*|unregister)[ \t]+(?=\S)",
    # <Ann> x    [Not Secure] Ann: x    Ann » x    [Ann -> Bob] x    Ann whispers to Bob: x
    r"(?:^|(?<=[\]:] ))<[^<>\n]{1,60}>:?[ \t]+(?=\S)",
    r"(?:\[Not Secure\]|\bchat thread[^\n\]]{0,40}\]:|»|->|→|\bwhispers?\b)[ \t]*(?=\S)",
    # GET /x    UnknownHostException: x
    r"(?-i:\b(?:GET|POST|PUT|PATCH|DELETE|HEAD)[ \t]+|UnknownHostException:[ \t]*)(?=\S)",
)
_SECRET = re.compile(rf"(?im)({'|'.join(_SECRETS)}){_REST}")
_KEY = re.compile(r"-----BEGIN [^\n]{0,60}-----.*?(?:-----END [^\n]{0,60}-----|\Z)", re.DOTALL)
_ENCODED = re.compile(r"(?m)^[ \t]*[A-Za-z0-9+/=]{32,}[ \t\r]*$")
_RANDOM = re.compile(r"(?<![\w+=-])(?=[\w+=-]*\d)(?=[\w+=-]*[^\W\d_])[\w+=-]{24,}")
_ID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_URL = re.compile(r"(?i)([a-z][a-z0-9+.-]{0,20})://[^\s\"'<>]*")
_AT = re.compile(r"(?<!\S)[^\s@]+@\S+")
_HOME = re.compile(r"(?i)([/\\](?:home|users)[/\\]+)[^\s/\\\"':]+")
_PLACE = re.compile(
    r"(?i)((?<![^\W_])(?<!same_)(?:address|host|hostname|server-ip|ip)[\"']?[ \t]*[:=][ \t]*)"
    r"(\"[^\"\n]*\"|'[^'\n]*'|[^\s,}#]+)"
)
_V4 = re.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.]*\d)")
_V6 = re.compile(r"(?<![\w:.])[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?:%\w+)?(?![\w:])")
_SHARE = re.compile(r"(?<![\w:\\])\\\\[\w.-]+")
_HOST = re.compile(
    r"(?<![\w.-])(?P<name>[\w-]{1,63}(?:\.[\w-]{1,63}){1,30})(?![\w-])(?:(?::\d+)?/[^\s\"'<>]*)?"
)
_NO_HOST = re.compile(
    r"(?i)(?:java|javax|jdk|sun|net|org|com|io|plugin_bridge|adr_core)\..*"  # names of classes
    r"|.*\.(?:ya?ml|json|jsonl|log|gz|zip|jar|csv|html|properties|txt|toml|conf|cfg|pem|crt|key"
    r"|sqlite3|db|py|js|java|kt|so|dll|exe|sh|bat|md|lock|dat|mca|part|png|svg)"
    r"|v?\d+(?:\.\d+)+[a-z]?(?:[-+][\w+-]*(?:\.\d[\w+-]*)*)?"  # versions
)
_TOP = re.compile(r"(?i).*\.(?:com|net|org|de|eu|uk|fr|nl|pl|ru|gg|us|info)")
_CALL = re.compile(r"(?m)^(\s*at )([\w.$/<>@~-]+)(?=\()")


class Masking:
    """`known`: words that are addresses or names of machines and people's folders. `spared`: words
    that only look like the name of a host.
    """

    def __init__(self, known: Iterable[str] = (), spared: Iterable[str] = ()) -> None:
        words = {word for word in known if len(word) > 2 and word not in _HARMLESS}
        longest_first = sorted(words, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, longest_first))) if words else None
        self._spared = frozenset(spared)

    def text(self, text: str) -> str:
        """Cost: linear."""
        text = _KEY.sub("<secret>", masked(text))
        text = _URL.sub(_url, _SECRET.sub(_secret, text))
        text = _HOME.sub(r"\1<user>", self.names(_AT.sub("<address>", text)))
        text = _SHARE.sub(r"\\\\<address>", _PLACE.sub(_place, text))
        text = _V6.sub(_address, _V4.sub(_address, text))
        text = "".join(map(self._without_hosts, text.splitlines(keepends=True)))
        return _RANDOM.sub(_random, _ENCODED.sub("<secret>", text))

    def names(self, text: str) -> str:
        """Only what is known is masked: for texts in which there are no secrets."""
        return self._known.sub("<masked>", text) if self._known else text

    def _without_hosts(self, line: str) -> str:
        call = _CALL.match(line)
        start = call.end() if call else 0
        return line[:start] + _HOST.sub(self._host, line[start:])

    def _host(self, found: re.Match[str]) -> str:
        name = found["name"]
        harmless = _NO_HOST.fullmatch(name) and not _TOP.fullmatch(name)
        return found[0] if harmless or name in self._spared else "<address>"


def _secret(found: re.Match[str]) -> str:
    return f"{found[1]}<secret>" if found[0] != found[1] else found[0]


def _random(found: re.Match[str]) -> str:
    return found[0] if _ID.fullmatch(found[0]) else "<secret>"


def _place(found: re.Match[str]) -> str:
    value = found[2].strip("\"'")
    host = (
        value.rpartition(":")[0] if re.search(r":\d+$", value) and value.count(":") == 1 else value
    )
    return found[0] if host in _HARMLESS else f"{found[1]}<address>"


def _url(found: re.Match[str]) -> str:
    place, _, path = found[0].partition("://")[2].partition("/")
    host = re.sub(r":\d+$", "", place).strip("[]")
    return found[0] if host in _HARMLESS and not path else f"{found[1]}://<address>"


def _address(found: re.Match[str]) -> str:
    text = found[0]
    try:
        ip_address(text.partition("%")[0])
    except ValueError:
        return text
    return text if text in _HARMLESS else "<address>"
