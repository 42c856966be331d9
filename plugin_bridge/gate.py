"""Keeps strangers from being a burden: who guesses tokens waits, who dawdles makes room.

Pure: time is an argument, and no socket is seen.
"""

from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address, ip_address

PAUSES = (0.0, 0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0)
ADDRESSES_REMEMBERED = 10_000
ROOM = 500
"""Strangers at a time. Each holds an open file, of which a process has often no more than 1,024."""


class Gate:
    """Counts wrong tokens by address. Loopback is never paused: all local servers share it."""

    def __init__(self) -> None:
        self._failures: dict[str, tuple[int, float]] = {}

    def shut_until(self, address: str) -> float:
        """Until when an address gets no hearing, seconds; 0 if it was never wrong."""
        count, when = self._failures.get(_whose(address), (0, 0.0))
        if not count or is_local(address):
            return 0.0
        return when + PAUSES[min(count, len(PAUSES) - 1)]

    def wrong(self, address: str, *, now: float) -> bool:
        """Notes a wrong token; True if it is worth a line in the log (1st, 10th, 100th ...)."""
        who = _whose(address)
        count = self._failures.pop(who, (0, 0.0))[0] + 1
        if len(self._failures) >= ADDRESSES_REMEMBERED:
            del self._failures[next(iter(self._failures))]  # whoever has kept quiet the longest
        self._failures[who] = (count, now)
        return str(count).strip("0") == "1"

    def right(self, address: str) -> None:
        """A right token clears the address."""
        self._failures.pop(_whose(address), None)


class Lobby:
    """Connections that are no game server's: not yet greeted, or told to go. Each call is O(1).

    When it is full, whoever has stood there the longest is shown out: an honest mod says in an
    instant who it is, and leaves when it is told to.
    """

    def __init__(self) -> None:
        self._waiting: dict[object, Callable[[], None]] = {}

    def enter(self, who: object, show_out: Callable[[], None]) -> None:
        self._waiting.setdefault(who, show_out)
        if len(self._waiting) > ROOM:
            oldest = next(iter(self._waiting))
            self._waiting.pop(oldest)()

    def clear(self) -> None:
        """Shows everybody out."""
        for show_out in list(self._waiting.values()):
            show_out()

    def leave(self, who: object) -> None:
        """It was greeted, or is gone."""
        self._waiting.pop(who, None)


def is_local(address: str) -> bool:
    """Whether only this machine can be at that address."""
    found = _parsed(address)
    return address == "localhost" if found is None else found.is_loopback


def _whose(address: str) -> str:
    """The address, or of IPv6 the part that one household has 2^64 addresses of."""
    found = _parsed(address)
    return found.packed[:8].hex() if isinstance(found, IPv6Address) else str(found or address)


def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(address)
    except ValueError:
        return None
    return (isinstance(found, IPv6Address) and found.ipv4_mapped) or found
