"""A ladder's state as JSON. Only shapes are checked here; `state_rules` asks what they mean."""

from __future__ import annotations

import json
from typing import Any, Final, NoReturn

from adr_core.cooldown import Pair
from adr_core.errors import StateError
from adr_core.state import FIELDS, PlayerState

_LADDER: Final = ("format", "clock", "boundaries", "players", "pairs")


Players = tuple[tuple[str, PlayerState], ...]
Boundaries = tuple[float, ...] | None
Pairs = tuple[Pair, ...]


def written(players: Players, boundaries: Boundaries, clock: float | None, pairs: Pairs) -> str:
    """The JSON text of a ladder; repr of a float is exact, so this is."""
    ladder = {
        "format": 1,
        "clock": clock,
        "boundaries": boundaries,
        "players": [
            {"id": player, **{name: getattr(state, name) for name in FIELDS}}
            for player, state in players
        ],
        "pairs": pairs,
    }
    try:
        return json.dumps(ladder, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise StateError(f"this state cannot be written: {error}") from error


def parsed(text: str) -> tuple[Players, Boundaries, float | None, Pairs]:
    """The parts of a ladder from its JSON text; raises StateError."""
    try:
        value = json.loads(text, parse_constant=_refuse)
    except (TypeError, ValueError, RecursionError) as error:
        raise StateError(f"this is not the JSON of a ladder: {error}") from error
    _named(value, _LADDER, "the ladder")
    if value["format"] != 1:
        raise StateError(f"format = {value['format']!r}: only format 1 is known")
    boundaries = value["boundaries"]
    return (
        tuple(_player(item) for item in _listed(value["players"], "players")),
        None if boundaries is None else _floats(boundaries, "boundaries"),
        _float(value["clock"], "clock"),
        tuple(_pair(item) for item in _listed(value["pairs"], "pairs")),
    )


def _player(item: Any) -> tuple[str, PlayerState]:
    owner = f"player {item['id']!r}" if isinstance(item, dict) and "id" in item else "a player"
    _named(item, ("id", *FIELDS), owner)
    values = {name: item[name] for name in FIELDS}
    for name in ("window", "recent"):
        values[name] = _floats(values[name], f"{owner}: {name}")
    for name in ("mu", "sigma", "trend", "pool", "last_event", "promotion", "demotion"):
        values[name] = _float(values[name], f"{owner}: {name}")
    return item["id"], PlayerState(**values)


def _pair(item: Any) -> Pair:
    if not isinstance(item, list) or len(item) not in {3, 4}:
        raise StateError(f"pairs holds {item!r}: must be [attacker, victim, time, flow]")
    flow = item[3] if len(item) == 4 else 0.0  # older states know of no flow
    return item[0], item[1], _float(item[2], "pairs"), _float(flow, "pairs")


def _float(value: Any, where: str) -> Any:
    """Whole numbers as floats; anything that is no number is left for the rules to name."""
    if isinstance(value, int) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            raise StateError(f"{where} = {value!r}: is too large") from None
    return value


def _floats(value: Any, where: str) -> tuple[float, ...]:
    return tuple(_float(item, where) for item in _listed(value, where))


def _listed(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise StateError(f"{where} = {value!r}: must be a list")
    return value


def _named(value: Any, names: tuple[str, ...], where: str) -> None:
    if not isinstance(value, dict):
        raise StateError(f"{where}: must be an object, not {value!r}")
    missing = [name for name in names if name not in value]
    unknown = [name for name in value if name not in names]
    if missing or unknown:
        raise StateError(f"{where}: missing {missing}, unknown {unknown}")


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")
