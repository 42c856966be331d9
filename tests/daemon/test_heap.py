"""The garbage collector does not look at what stays."""

from __future__ import annotations

import gc

from plugin_bridge.heap import KILLS, YOUNG, Heap, ease, growing, undisturbed


def test_what_is_loaded_is_never_looked_at_again() -> None:
    try:
        before = gc.get_freeze_count()
        with growing():
            assert not gc.isenabled()
            kept = [[number] for number in range(1_000)]
        assert gc.isenabled()
        assert gc.get_freeze_count() >= before + len(kept)
    finally:
        gc.unfreeze()


def test_what_kills_have_made_is_put_aside_some_thousand_kills_at_a_time() -> None:
    try:
        heap = Heap()
        heap.settle(KILLS - 1)
        frozen = gc.get_freeze_count()
        kept = [[number] for number in range(1_000)]
        heap.settle(KILLS)
        assert gc.get_freeze_count() >= frozen + len(kept)
        frozen = gc.get_freeze_count()
        heap.settle(2 * KILLS - 1)
        assert gc.get_freeze_count() == frozen
    finally:
        gc.unfreeze()


def test_the_young_are_looked_at_less_often() -> None:
    before = gc.get_threshold()
    try:
        ease()
        assert gc.get_threshold() == (YOUNG, *before[1:])
    finally:
        gc.set_threshold(*before)


def test_what_will_go_again_is_not_put_aside_and_the_search_goes_on_after_it() -> None:
    frozen = gc.get_freeze_count()
    with undisturbed():
        assert not gc.isenabled()
        with undisturbed():
            pass
        assert not gc.isenabled()
    assert gc.isenabled()
    assert gc.get_freeze_count() == frozen
