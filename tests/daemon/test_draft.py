"""What a batch changed, each thing once."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from adr_core import Ladder, Parameters, TierChange
from plugin_bridge.arena import Arena
from plugin_bridge.draft import Draft, TierMove
from plugin_bridge.store.rows import LogEntry


def entry(position: int, ladder: str = "main") -> LogEntry:
    return LogEntry(
        position=position,
        lane=1,
        seq=position,
        kind="kill",
        time=1.0,
        received=1.0,
        ladder=ladder,
        killer="a",
        victim="b",
    )


def changing(position: int, parameters: Parameters) -> LogEntry:
    detail = json.dumps(parameters.to_dict())
    fresh = {"kind": "parameters", "detail": detail, "killer": None, "victim": None}
    return structs.replace(entry(position), **fresh)


def moves(*changes: tuple[int, TierChange]) -> list[TierMove]:
    draft = Draft()
    for position, change in changes:
        draft.changes(entry(position), [change])
    return draft.moves


def test_several_moves_of_one_player_are_told_as_one_from_the_first_tier_to_the_last() -> None:
    up = moves((1, TierChange("ann", None, 5)), (2, TierChange("bob", 2, 3)))
    assert up == [
        TierMove("main", "ann", None, 5, entry(1)),
        TierMove("main", "bob", 2, 3, entry(2)),
    ]
    through = moves((1, TierChange("ann", 5, 4)), (2, TierChange("ann", 4, 3)))
    assert through == [TierMove("main", "ann", 5, 3, entry(2))]


def test_whoever_ends_where_it_began_has_not_moved() -> None:
    assert moves((1, TierChange("ann", 5, 4)), (2, TierChange("ann", 4, 5))) == []


def test_moves_on_two_ladders_are_two() -> None:
    draft = Draft()
    for ladder in ("main", "duels"):
        draft.changes(entry(1, ladder), [TierChange("ann", 2, 1)])
    assert [move.ladder for move in draft.moves] == ["main", "duels"]


def test_a_player_of_many_kills_is_written_once_with_the_last_state() -> None:
    draft, ladder = Draft(), Ladder(Parameters(t_cooldown=0))
    for position in range(1, 6):
        draft.kill(entry(position), ladder.kill("a", "b", float(position)), ladder)
    batch = draft.batch([], [], after=0)
    assert [(row.player, row.kills, row.deaths) for row in batch.players] == [
        ("a", 5, 0),
        ("b", 0, 5),
    ]
    assert batch.players[0].state == ladder.player("a")
    assert len(batch.outcomes) == 5
    assert [pair.position for pair in batch.pairs] == [5]
    assert list(draft.touched) == [("main", "a"), ("main", "b")]


def test_what_touches_everybody_is_written_also_of_those_who_fought_and_once() -> None:
    draft, ladder = Draft(), Ladder(Parameters(t_cooldown=0))
    ladder.kill("c", "d", 0.0)
    draft.kill(entry(1), ladder.kill("a", "b", 1.0), ladder)
    draft.everybody("main")
    assert list(draft.touched) == [("main", "a"), ("main", "b"), ("main", "c"), ("main", "d")]
    assert len(draft.touched) >= 4
    for key, there in ((("main", "d"), True), (("main", "e"), False), (("duels", "a"), False)):
        assert (key in draft.touched) is there
    rows = draft.batch([], [], after=0).players
    assert [(row.player, row.kills, row.deaths) for row in rows] == [
        ("a", 1, 0),
        ("b", 0, 1),
        ("c", 0, 0),
        ("d", 0, 0),
    ]
    later = draft.batch([], [], after=0, later=True)
    assert (later.players, list(later.players_later)) == ([], rows)


def test_a_draft_that_was_shed_holds_nothing_any_more() -> None:
    draft, ladder = Draft(), Ladder(Parameters(t_cooldown=0))
    draft.kill(entry(1), ladder.kill("a", "b", 1.0), ladder)
    draft.changes(entry(1), [TierChange("a", None, 5)])
    draft.shed()
    batch = draft.batch([], [], after=0)
    assert (batch.outcomes, batch.players, batch.pairs, draft.moves) == ([], [], [], [])
    assert list(draft.touched) == []


@pytest.mark.parametrize(
    ("changed", "written"),
    [
        ({"c_loss": 1.0}, []),
        ({"shares": (0.5, 0.5)}, ["a", "b"]),
        ({"window": 3}, ["a", "b"]),
        ({"mu_max": 1_001.0}, ["a", "b"]),
    ],
)
def test_other_parameters_write_everybody_only_if_they_may_change_what_is_kept(
    changed: dict[str, Any], written: list[str]
) -> None:
    arena, parameters = Arena(), Parameters(t_cooldown=0)
    arena.apply(changing(1, parameters), Draft())
    for position in range(2, 8):
        arena.apply(entry(position), Draft())
    before = {player: arena.ladders["main"].player(player) for player in "ab"}
    draft = Draft()
    arena.apply(changing(8, replace(parameters, **changed)), draft)
    assert [player for _, player in draft.touched] == written
    if not written:
        assert before == {player: arena.ladders["main"].player(player) for player in "ab"}
    assert draft.batch([], [], after=0).ladders[0].parameters == replace(parameters, **changed)
