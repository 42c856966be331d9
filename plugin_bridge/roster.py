"""Who is online where. The state of this moment: never stored, said anew by every `hello`."""

from collections.abc import Iterable, KeysView

import msgspec

from plugin_bridge.protocol.packets import MAX_ONLINE, Present

ADDRESSES_REMEMBERED = 10_000


class Roster:
    """Players by server. Every call costs O(1), but for `hello` and `online`."""

    def __init__(self) -> None:
        self._servers: dict[str, dict[str, Present]] = {}
        self._whereabouts: dict[str, set[str]] = {}
        self._addresses: dict[tuple[str, str], str] = {}

    def hello(self, server: str, online: Iterable[Present]) -> None:
        self.forget(server)
        self._servers[server] = {}
        for present in online:
            self.join(server, present)

    def forget(self, server: str) -> None:
        """The server is gone, and all its players with it."""
        for player in list(self._servers.get(server, ())):
            self.quit(server, player)
        self._servers.pop(server, None)

    def join(self, server: str, present: Present) -> bool:
        """False for one more than a server may have: then nothing is changed."""
        there = self._servers.setdefault(server, {})
        if len(there) >= MAX_ONLINE and present.id not in there:
            return False
        there[present.id] = present
        self._remember(server, present)
        self._whereabouts.setdefault(present.id, set()).add(server)
        return True

    def _remember(self, server: str, present: Present) -> None:
        """For longer than the player is there: its last kills may be told of later."""
        self._addresses.pop((server, present.id), None)
        if present.address:
            self._addresses[server, present.id] = present.address
            if len(self._addresses) > ADDRESSES_REMEMBERED:
                del self._addresses[next(iter(self._addresses))]

    def same_address(self, server: str, one: str, other: str) -> bool:
        """Whether both are known to have come to that server from one address."""
        address = self._addresses.get((server, one))
        return address is not None and address == self._addresses.get((server, other))

    def quit(self, server: str, player: str) -> None:
        self._servers.get(server, {}).pop(player, None)
        servers = self._whereabouts.get(player, set())
        servers.discard(server)
        if not servers:
            self._whereabouts.pop(player, None)

    def move(self, server: str, player: str, world: str) -> None:
        there = self.find(server, player)
        if there:
            self._servers[server][player] = msgspec.structs.replace(there, world=world)

    def find(self, server: str, player: str) -> Present | None:
        return self._servers.get(server, {}).get(player)

    def online(self, server: str) -> list[Present]:
        return list(self._servers.get(server, {}).values())

    def everybody(self) -> KeysView[str]:
        """All who are online somewhere."""
        return self._whereabouts.keys()

    def has(self, player: str) -> bool:
        """Whether a player is online anywhere."""
        return player in self._whereabouts

    def servers_of(self, player: str) -> list[str]:
        """Where a player is online, in a fixed order."""
        return sorted(self._whereabouts.get(player, ()))
