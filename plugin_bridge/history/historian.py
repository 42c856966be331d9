"""Takes orders to amend the past into the log, and sees that the ratings follow.

It waits for nobody and nobody waits for it, but for the moments when it takes orders and when the
new ratings take the place of the old ones.
"""

import logging
from collections.abc import Awaitable, Callable
from functools import partial
from time import monotonic

from plugin_bridge.errors import StoreUnavailable
from plugin_bridge.history.amendments import entry_of
from plugin_bridge.history.redo import Redone, remove, scratch_of
from plugin_bridge.history.revision import Revision
from plugin_bridge.history.successor import Errand, Successor
from plugin_bridge.history.verify import Progress
from plugin_bridge.history.worker import Worker
from plugin_bridge.ledger import Ledger
from plugin_bridge.store import Store
from plugin_bridge.store.history import LANE
from plugin_bridge.store.rows import LogEntry

log = logging.getLogger(__name__)

PAUSE_SECONDS = 60.0
"""After a failure. The ratings stay as they are meanwhile, and nothing else is held up."""
TELL_SECONDS = 15.0
"""How often the log says how far the past is rated again."""


class Historian:
    """`changed`: told between two batches that all ratings may be others than before."""

    def __init__(
        self, *, store: Store, ledger: Ledger, errand: Errand, changed: Callable[[], None]
    ) -> None:
        self._store = store
        self._ledger = ledger
        self._errand = errand
        self._changed = changed
        self._worker = Worker(store.path)
        self._not_before = 0.0
        self._tidy = False
        """Whether nothing is left over of what was once brought in."""
        self._tell_at = 0.0
        self.progress: tuple[int, int] | None = None
        """How many entries of the log are rated again, and of how many; None at rest."""

    async def look(self, progress: Progress | None = None) -> None:
        """Does what there is to do: a few look-ups when there is nothing. Raises StoreError."""
        await self._tidy_up()
        if await self._store.history.waiting():
            await self._errand(self._take)
        if await self._store.history.behind():
            await self._errand(self._pass_over)
        if monotonic() >= self._not_before and await self._store.history.behind():
            self._not_before = monotonic() + PAUSE_SECONDS
            try:
                await self._redo(progress or _quiet)
            finally:
                self.progress = None
            self._not_before = 0.0

    def stop(self) -> None:
        """Gives up what is being worked out; the next start begins it anew."""
        self._worker.stop()

    async def _take(self) -> None:
        """Takes the waiting orders into the log."""
        lane = await self._ledger.open_lane(*LANE)
        orders = await self._store.history.take()

        def entries() -> list[LogEntry]:
            due = [order for order in orders if order.number > self._ledger.last(lane)]
            return [
                entry_of(order, position, lane)
                for position, order in enumerate(due, start=self._ledger.end + 1)
            ]

        await self._ledger.write(lambda: (entries(), []))

    async def _pass_over(self) -> None:
        """Amendments that change no rating, or that were taken back before they were in force, are
        gone by without any work.
        """
        history = self._store.history
        wanted = Revision(await history.amendments())
        if wanted.reads_as(Revision(await history.amendments_in_force())):
            await history.goes_by(wanted.revised)

    async def _redo(self, progress: Progress) -> None:
        began = monotonic()
        log.info("rating the past again, in a process of its own")
        self._tell_at = began + TELL_SECONDS
        redone = await self._recompute(progress)
        if redone is None:
            return
        worked_out = monotonic()
        successor = await self._brought_in(redone)
        brought_in = monotonic()
        await self._errand(partial(self._put_in_force, successor))
        log.info(
            "the past was rated again: %d entries in %.1f s, brought in in %.1f s, and put in "
            "force within %.2f s",
            redone.end,
            worked_out - began,
            brought_in - worked_out,
            monotonic() - brought_in,
        )
        await self._tidy_up()

    def _note(self, done: int, total: int) -> None:
        self.progress = done, total
        if monotonic() >= self._tell_at:
            log.info("rating the past again: %d of %d entries", done, total)
            self._tell_at = monotonic() + TELL_SECONDS

    async def _brought_in(self, redone: Redone) -> Successor:
        """Brings it into the database beside what is in force, while everything goes on."""
        scratch, renewal = scratch_of(self._store.path), self._store.renewal
        await self._tidy_up()
        self._tidy = False
        await self._errand(renewal.begin)
        await self._step_by_step(partial(renewal.fill, scratch))
        successor = await Successor.load(self._store, scratch, redone)
        remove(scratch)
        await successor.catch_up(self._errand)
        return successor

    async def _put_in_force(self, successor: Successor) -> None:
        await self._ledger.exchange(successor.put_in_force)
        self._changed()

    async def _tidy_up(self) -> None:
        """Removes what is left over of what was brought in, by this process or one before it."""
        if not self._tidy:
            await self._step_by_step(self._store.renewal.clear)
            self._tidy = True

    async def _step_by_step(self, step: Callable[[], Awaitable[bool]]) -> None:
        """Has it done until there is no more of it; kills are stored between any two steps."""
        more = True

        async def one() -> None:
            nonlocal more
            more = await step()

        while more:
            await self._errand(one)

    async def _recompute(self, progress: Progress) -> Redone | None:
        """None when it was told to stop. Raises StoreUnavailable when it did not succeed."""

        def told(done: int, total: int) -> None:
            self._note(done, total)
            progress(done, total)

        try:
            return await self._worker.recompute(told)
        except StoreUnavailable as error:
            raise StoreUnavailable(f"{error}; trying again in {PAUSE_SECONDS:.0f} s") from error


def unattended(store: Store, ledger: Ledger) -> Historian:
    """One that works where no engine runs, and nobody is connected."""

    async def at_once(work: Callable[[], Awaitable[None]]) -> None:
        await work()

    def unheard() -> None:
        """Nobody would be told."""

    return Historian(store=store, ledger=ledger, errand=at_once, changed=unheard)


def _quiet(done: int, total: int) -> None:
    """Nobody watches."""
