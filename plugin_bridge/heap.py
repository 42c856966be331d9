"""The garbage collector, kept from looking at a million players again and again.

A full look stops everything for almost a second per million players, and finds nothing: states are
replaced, not tangled. So what was loaded is put out of its sight, and what kills have made since
as well, some thousand kills at a time. Short-lived objects are looked at as ever.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

YOUNG = 20_000
"""So many new objects are made before the young are looked at, which takes a millisecond or two."""
KILLS = 10_000
"""After so many the new states are put aside: a full look would else take 20 ms."""


def ease() -> None:
    """Looks less often at what is young: a kill makes dozens of objects, and none is tangled."""
    gc.set_threshold(YOUNG, *gc.get_threshold()[1:])


@contextmanager
def undisturbed() -> Iterator[None]:
    """While very much is made that will go again by itself."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


@contextmanager
def growing() -> Iterator[None]:
    """While very much is made that will stay."""
    with undisturbed():
        try:
            yield
        finally:
            gc.freeze()


def let_go() -> None:
    """Looks once at everything, also at what was put aside: what nobody uses any more goes."""
    gc.unfreeze()
    gc.collect()


class Heap:
    """Told of the log's end now and then."""

    def __init__(self) -> None:
        self._settled = 0

    def settle(self, end: int) -> None:
        """Puts aside what is there, if enough has happened since the last time."""
        if end - self._settled >= KILLS:
            gc.collect(1)  # what is young and tangled goes first
            gc.freeze()
            self._settled = end
