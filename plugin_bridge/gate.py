"""Slows down whoever guesses tokens. Pure: time is an argument."""

from ipaddress import ip_address

PAUSES = (0.0, 0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0)
ADDRESSES_REMEMBERED = 10_000


class Gate:
    """Counts wrong tokens by address. Loopback is never paused: all local servers share it."""

    def __init__(self) -> None:
        self._failures: dict[str, tuple[int, float]] = {}

    def shut_until(self, address: str) -> float:
        """Until when an address gets no hearing, seconds; 0 if it was never wrong."""
        count, when = self._failures.get(address, (0, 0.0))
        if not count or is_local(address):
            return 0.0
        return when + PAUSES[min(count, len(PAUSES) - 1)]

    def wrong(self, address: str, *, now: float) -> bool:
        """Notes a wrong token; True if it is worth a line in the log (1st, 10th, 100th ...)."""
        if len(self._failures) >= ADDRESSES_REMEMBERED:
            self._failures.clear()
        count = self._failures.get(address, (0, 0.0))[0] + 1
        self._failures[address] = (count, now)
        return str(count).strip("0") == "1"

    def right(self, address: str) -> None:
        """A right token clears the address."""
        self._failures.pop(address, None)


def is_local(address: str) -> bool:
    """Whether only this machine can be at that address."""
    try:
        return ip_address(address).is_loopback
    except ValueError:
        return address == "localhost"
