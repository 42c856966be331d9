"""A table of kills: `time,killer,victim`, and where they are known `cause`, `weapon`, `world`."""

from collections.abc import Mapping
from datetime import tzinfo
from pathlib import Path

from plugin_bridge.gamelog.people import canonical_id, offline_id
from plugin_bridge.importing.happenings import Being, Happening
from plugin_bridge.importing.moments import read_moment
from plugin_bridge.importing.tables import Faults, Row, columns_of, rows_of

REQUIRED = ("time", "killer", "victim")
OPTIONAL = ("cause", "weapon", "world")
_LONGEST_KEY = 64


def is_kills(columns: tuple[str, ...]) -> bool:
    return set(REQUIRED) <= set(columns)


def read_kills(
    path: Path, *, cache: Mapping[str, str], zone: tzinfo | None, now: float
) -> list[Happening]:
    """The kills of one table, in the order they happened. `cache`: ids by name.

    A player is a UUID or a name; a name that `cache` does not know gets the id that servers in
    offline mode give it. Raises UsageError, with the place of each bad value, and reads nothing
    then. Cost: linear.
    """
    faults = Faults(path.name, columns_of(path))
    found = []
    for row in rows_of(path):
        happening = _kill(row, faults, cache, zone, now)
        if happening:
            found.append(happening)
    faults.check()
    found.sort(key=lambda happening: happening.time)
    return found


def _kill(
    row: Row, faults: Faults, cache: Mapping[str, str], zone: tzinfo | None, now: float
) -> Happening | None:
    bad = False

    def fault(column: str, words: str) -> None:
        nonlocal bad
        bad = True
        faults.add(row.line, column, words)

    moment = 0.0
    try:
        moment = read_moment(row.text("time"), zone)
    except ValueError as error:
        fault("time", str(error))
    if moment > now + 86_400:
        fault("time", "this lies in the future")
    beings = {column: _being(row.text(column), cache) for column in ("killer", "victim")}
    for column, being in beings.items():
        if being is None:
            fault(column, f"{row.text(column)[:40]!r} is neither a name nor a UUID")
    killer, victim = beings["killer"], beings["victim"]
    if killer and victim and killer.id == victim.id:
        fault("victim", "killer and victim are the same player")
    for column in OPTIONAL:
        if len(row.text(column)) > _LONGEST_KEY:
            fault(column, f"longer than {_LONGEST_KEY} characters")
    if bad or not killer or not victim:
        return None
    return Happening(
        moment,
        victim,
        killer,
        row.text("cause") or "attack",
        row.text("weapon") or None,
        row.text("world") or None,
    )


def _being(text: str, cache: Mapping[str, str]) -> Being | None:
    player = canonical_id(text)
    if player:
        return Being(player)
    if not 1 <= len(text) <= 40 or not text.isprintable():
        return None
    return Being(cache.get(text) or offline_id(text), text)
