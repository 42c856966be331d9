"""What waits for the engine: in the order of arrival, and only so much of it."""

import asyncio
from collections import deque
from typing import Generic, TypeVar

_Item = TypeVar("_Item")


class Inbox(Generic[_Item]):
    """A queue with one reader. `capacity`: a weight; whoever comes to a full one has to wait.

    The reader may be woken also by something else than an item.
    """

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._items: deque[tuple[_Item, int]] = deque()
        self.weight = 0
        """Of all that waits."""
        self._room = asyncio.Event()
        self._stirred = asyncio.Event()

    @property
    def empty(self) -> bool:
        return not self._items

    async def put(self, item: _Item, *, weight: int = 1) -> None:
        await self._enter(item, weight, self._capacity)

    async def squeeze_in(self, item: _Item) -> None:
        """For somebody who waits: behind all that is there, but not behind what waits for room.

        Only to one that is twice full it has to wait itself.
        """
        await self._enter(item, 1, 2 * self._capacity)

    async def _enter(self, item: _Item, weight: int, room: int) -> None:
        while self.weight >= room:
            self._room.clear()
            await self._room.wait()
        self._items.append((item, weight))
        self.weight += weight
        self._stirred.set()

    def take(self) -> tuple[_Item, int]:
        """The item that has waited longest, and its weight. Only if it is not empty."""
        item, weight = self._items.popleft()
        self.weight -= weight
        self._room.set()
        return item, weight

    def stir(self) -> None:
        """Wakes the reader."""
        self._stirred.set()

    async def stirred(self) -> None:
        """Returns when something has come since the last time, or the reader was woken."""
        await self._stirred.wait()
        self._stirred.clear()
