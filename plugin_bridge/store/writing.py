"""How a batch is written: statements, and the rows that each is run with.

Rows are made as SQLite asks for them, beside the loop.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from msgspec.structs import astuple

from adr_core.doubles import in_bytes
from plugin_bridge.store import contests, people
from plugin_bridge.store.database import Many
from plugin_bridge.store.rows import (
    Batch,
    LadderRow,
    LogEntry,
    OutcomeRow,
    PairRow,
    PlayerRow,
)
from plugin_bridge.store.states import STATE

_REPLACED = ", ".join(f"{column} = excluded.{column}" for column in STATE.split(", "))


def _insert(table: str, columns: Sequence[str]) -> str:
    marks = ", ".join("?" * len(columns))
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608


_EVENT = _insert("events", LogEntry.__struct_fields__)
_OUTCOME = _insert("outcomes", OutcomeRow.__struct_fields__)
_PLAYER = (
    _insert("players", ("ladder", "player", *STATE.split(", "), "kills", "deaths", "best_streak"))
    + f" ON CONFLICT (ladder, player) DO UPDATE SET {_REPLACED}, kills = kills + excluded.kills, "
    "deaths = deaths + excluded.deaths, best_streak = max(best_streak, excluded.best_streak)"
)
_LADDER = (
    _insert("ladders", ("ladder", "parameters", "clock", "boundaries"))
    + " ON CONFLICT (ladder) DO UPDATE SET parameters = excluded.parameters, "
    "clock = excluded.clock, boundaries = excluded.boundaries"
)
_PAIR = (
    _insert("pairs", PairRow.__struct_fields__)
    + " ON CONFLICT (ladder, killer, victim) DO UPDATE SET time = excluded.time, "
    "position = excluded.position, flow = excluded.flow"
)
_SETTLE_PAIRS = """
DELETE FROM pairs WHERE ladder = ?1 AND position <= (SELECT max(position) FROM (
    SELECT position FROM pairs WHERE ladder = ?1 ORDER BY position DESC LIMIT -1 OFFSET coalesce(
        (SELECT json_extract(parameters, '$.pairs_remembered') FROM ladders WHERE ladder = ?1), 0
    )
))
"""


def written(batch: Batch) -> Iterator[Many]:
    """All of it, in an order in which every row finds what it refers to. O(log n) a row."""
    yield _EVENT, map(astuple, batch.entries)
    yield settled_pairs([e.ladder for e in batch.entries if e.kind == "parameters" and e.ladder])
    yield written_outcomes(batch.outcomes)
    yield written_players(chain(batch.players, batch.players_later))
    yield written_ladders(batch.ladders)
    yield written_pairs(batch.pairs)
    yield from contests.written(batch.contests)
    yield people.written(batch.names)


def settled_pairs(ladders: Sequence[str]) -> Many:
    """Drops the pairs that ladders have forgotten under their parameters as they are stored.

    They are left lying until it matters: at a start, and before other parameters come.
    """
    return _SETTLE_PAIRS, [(ladder,) for ladder in ladders]


def written_outcomes(outcomes: Sequence[OutcomeRow]) -> Many:
    return _OUTCOME, map(astuple, outcomes)


def written_players(players: Iterable[PlayerRow]) -> Many:
    """Replaces the states and adds to the records."""
    return _PLAYER, (
        (p.ladder, p.player, *p.packed, p.kills, p.deaths, p.best_streak) for p in players
    )


def written_ladders(ladders: Sequence[LadderRow]) -> Many:
    return _LADDER, [
        (row.ladder, json.dumps(row.parameters.to_dict()), row.clock, in_bytes(row.boundaries))
        for row in ladders
    ]


def written_pairs(pairs: Sequence[PairRow]) -> Many:
    return _PAIR, map(astuple, pairs)
