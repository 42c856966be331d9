"""Why a rating moved: `/rank why` and `adr-bridge explain`."""

from __future__ import annotations

import asyncio
import json
import math
import re
from dataclasses import replace
from pathlib import Path

import pytest

from adr_core import Ladder, Parameters
from plugin_bridge.arena import Arena
from plugin_bridge.history.steps import kept, steps, why
from plugin_bridge.store.rows import LogEntry, NameRow

from ..cli.calling import call
from ..daemon.mod import PLAYER, Mod, awaited
from ..daemon.running import Home, eventually, settings
from ..store.history import DAY, Scribe, make_lanes, opened, record

ADMIN = (*PLAYER, "adrbridge.admin")
LOOSE = replace(Parameters.consistent(), t_cooldown=0.0)


@pytest.mark.parametrize(
    "parameters", [LOOSE, replace(Parameters.paper(), t_cooldown=0.0, delta_max=1_000.0)]
)
def test_the_factors_make_the_very_change(parameters: Parameters) -> None:
    ladder = Ladder(parameters)
    fights = [
        ("a", "b"),
        ("a", "c"),
        ("b", "a"),
        ("c", "b"),
        ("a", "b"),
        ("a", "b"),
        ("c", "a"),
    ] * 6
    seen = set()
    for number, (killer, victim) in enumerate(fights):
        time = 100.0 * number
        outcome = ladder.kill(killer, victim, time)
        assert outcome.probability and outcome.attacker and outcome.victim
        blob = kept(outcome.attacker, outcome.victim)
        for step, killed, change in zip(
            steps(blob),
            (True, False),
            (outcome.attacker_change, outcome.victim_change),
            strict=True,
        ):
            found = why(step, outcome.probability, parameters, killed=killed)
            product = found.base * found.streak * found.calm * found.trend * found.surprise
            assert product == pytest.approx(change, rel=1e-5)
            assert step.change == pytest.approx(change, rel=1e-6)
            assert found.limit is None
            seen |= {name for name in ("streak", "calm", "trend") if getattr(found, name) != 1.0}
    assert seen == {"streak", "calm", "trend"}


def test_a_newcomers_first_fight_is_as_the_paper_has_it() -> None:
    parameters = Parameters.paper()
    outcome = Ladder(parameters).kill("a", "b", 0.0)
    assert outcome.attacker and outcome.victim and outcome.probability == 0.5
    blob = kept(outcome.attacker, outcome.victim)
    found = why(steps(blob)[0], 0.5, parameters, killed=True)
    sigma, peak = parameters.sigma_0, parameters.sigma_peak
    share = 2 * sigma * peak / (sigma**2 + peak**2)
    by_hand = parameters.eta_min + (parameters.eta_max - parameters.eta_min) * share
    assert found.base == pytest.approx(by_hand, rel=1e-6)
    assert (found.streak, found.calm, found.trend, found.surprise) == (1.0, 1.0, 1.0, 0.5)


def test_what_else_changed_a_step_is_named() -> None:
    ladder = Ladder(replace(LOOSE, delta_max=5.0))
    outcome = ladder.kill("a", "b", 0.0)
    assert outcome.attacker and outcome.victim
    blob = kept(outcome.attacker, outcome.victim)
    assert why(steps(blob)[0], 0.5, ladder.parameters, killed=True).limit == "capped"
    later = (ladder.parameters.t_return + 1) * DAY
    outcome = ladder.kill("a", "b", later)
    assert outcome.attacker and outcome.victim and outcome.probability
    blob = kept(outcome.attacker, outcome.victim)
    step = steps(blob)[0]
    assert step.days == pytest.approx(later / DAY)
    assert why(step, outcome.probability, ladder.parameters, killed=True).limit == "returning"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    scribe = Scribe()
    past = [
        [scribe.parameters("main", Parameters.consistent(), 0.0)],
        [
            scribe.kill("a", "b", 1e9),
            scribe.kill("a", "b", 1e9 + 5),
            scribe.kill("b", "a", 1e9 + 99),
        ],
        [scribe.kill("a", "b", 1e9 + 200, None)],
    ]

    asyncio.run(stored(tmp_path, past))
    return tmp_path


async def stored(folder: Path, past: list[list[LogEntry]]) -> None:
    async with opened(folder / "adr.sqlite3") as store:
        await make_lanes(store)
        names = [NameRow("a", "Ann", 1.0), NameRow("b", "Bob", 1.0)]
        await record(store, Arena(), past, names)
    (folder / "config.yml").write_text("storage: {database: adr.sqlite3}\n", encoding="utf-8")


def test_the_command_explains_every_fight_in_full(folder: Path) -> None:
    result = call(folder, "explain", "ann", "--json")
    assert result.returncode == 0, result.stderr
    rows = json.loads(result.stdout)
    assert [(row["fight"], row["opponent"], row["note"]) for row in rows] == [
        ("kill", "Bob", ""),
        ("kill", "Bob", "not counted: cooldown"),
        ("death", "Bob", ""),
        ("kill", "Bob", "not counted: world"),
    ]
    assert (rows[0]["chance"], rows[0]["change"], rows[0]["rating"]) == ("50 %", "+17.5", "1018")
    assert call(folder, "explain", "ann", "--last", "1").stdout.count("Bob") == 1
    assert "no ladder 'x'" in call(folder, "explain", "ann", "--ladder", "x").stderr


def test_each_fight_is_explained_by_the_parameters_of_its_day(tmp_path: Path) -> None:
    scribe, then = Scribe(), replace(LOOSE, eta_max=20.0, eta_min=2.0)
    past = [
        [scribe.parameters("main", then, 0.0), scribe.parameters("duels", LOOSE, 0.0)],
        [scribe.kill("a", "b", 1e9)],
        [scribe.parameters("main", LOOSE, 1e9 + 1)],
        [scribe.kill("c", "a", 1e9 + 2)],
    ]
    asyncio.run(stored(tmp_path, past))
    rows = json.loads(call(tmp_path, "explain", "ann", "--json").stdout)
    for row in rows:
        factors = [float(row[name]) for name in ("base", "streak", "volatility", "trend")]
        product = math.prod([*factors, float(row["surprise"])])
        assert float(row["change"]) == pytest.approx(product, rel=0.02)
        assert row["note"] == ""
    assert float(rows[1]["base"]) == pytest.approx(2 * float(rows[0]["base"]), rel=0.1)


def test_the_fights_of_all_merged_ids_are_explained_under_each_of_their_names(
    folder: Path,
) -> None:
    async def seen() -> None:
        async with opened(folder / "adr.sqlite3") as store:
            await store.people.put([NameRow("c", "Cid", 1.0)])

    asyncio.run(seen())
    before = json.loads(call(folder, "explain", "ann", "--json").stdout)
    merged = call(folder, "merge", "ann", "cid", "--reason", "renamed", "--yes")
    assert merged.returncode == 0, merged.stderr
    for name in ("ann", "cid"):
        rows = json.loads(call(folder, "explain", name, "--json").stdout)
        assert (rows[:-1], rows[-1]["fight"]) == (before, "merge")
    assert [row["opponent"] for row in before] == ["Bob"] * 4


@awaited
async def test_players_are_told_of_what_they_did_under_an_older_id_and_older_rules(
    home: Home,
) -> None:
    home.save(settings(rating="rating: {parameters: {eta_min: 2, eta_max: 20}}"))
    mod = Mod()
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.join("new")
            await mod.kill("old", "bob")
            home.save(settings(rating=""))
            await asyncio.to_thread(eventually, lambda: len(home.rows(RULES)) == 2, "it is read")
            words = ("merge", "old", "new", "--reason", "renamed", "--yes")
            merged = await asyncio.to_thread(call, home.folder, *words)
            assert merged.returncode == 0, merged.stderr
            _, joined, line = await mod.ask("rank why", by="new")
            assert joined == "→ the fights as Old were added: renamed"
            factors = r"(\S+) killed Bob, .*: (\d+) points by how .*, surprise ×([\d.]+)"
            said = re.fullmatch(factors, line)
            assert said, line
            change, base, surprise = map(float, said.groups())
            assert change == pytest.approx(base * surprise, abs=0.3)
            assert base < 20


RULES = "SELECT 1 FROM events WHERE kind = 'parameters'"


@awaited
async def test_players_are_told_in_words_why(home: Home) -> None:
    home.save(settings("filters: {worlds: {ignore: [lobby]}}", rating=""))
    mod = Mod()
    with home.serving() as daemon:
        async with mod.connected(daemon.url, home.tokens["survival"]):
            assert await mod.ask("rank why") == ["Ann has not fought here lately."]
            await mod.kill("ann", "bob")
            await mod.kill("ann", "bob")
            await mod.kill("cat", "ann")
            await mod.kill("ann", "cat", world="lobby")
            header, lobby, death, again, kill = await mod.ask("rank why")
            assert header == "The last fights of Ann, the latest first"
            assert lobby == "0 killed Cat: this world is not rated"
            assert again.endswith("the same player again within a minute does not count")
            assert kill == (
                "+17.5 killed Bob, expected with 50 %: "
                "35 points by how sure your rating is, surprise ×0.50"
            )
            said = re.fullmatch(
                r"(-[\d.]+) killed by Cat, expected with 49 %: (\d+) points by how sure your "
                r"rating is, streak ×([\d.]+), ups and downs ×([\d.]+), rising form ×([\d.]+), "
                r"surprise ×([\d.]+)",
                death,
            )
            assert said, death
            change, *factors = map(float, said.groups())
            ((before, after),) = home.rows(
                "SELECT victim_before, victim_after FROM outcomes WHERE reason IS NULL "
                "ORDER BY position DESC LIMIT 1"
            )
            assert change == pytest.approx(after - before, abs=0.06)
            assert math.prod(factors) == pytest.approx(-change, rel=0.03)  # they are rounded
            assert "not allowed" in (await mod.ask("rank why bob"))[0]
            told = await mod.ask("rank why BOB", may=ADMIN)
            assert told[-1].startswith("-14.0 killed by Ann, expected with 50 %")
            assert "rank why" in " ".join(await mod.ask("rank help"))
