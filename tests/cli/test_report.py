"""`adr-bridge report`: what it shows, whom it suspects, and that no name can break it."""

import asyncio
import random
import time
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adr_core import Ladder, Parameters
from plugin_bridge.report.charts import interval
from plugin_bridge.report.facts import Day, Facts, TierShare, activity
from plugin_bridge.report.page import page
from plugin_bridge.report.strengths import PRIOR, strengths
from plugin_bridge.report.suspects import Suspect, suspects
from plugin_bridge.store.survey import CalibrationBin, PairDay
from plugin_bridge.study.bounds import Bounds

from .calling import call
from .past import START, Fight, fights, played
from .running import run, serving

HOSTILE = """<script>alert('x')</script>&amp;"><img src=x onerror=alert(1)>"""


class Reader(HTMLParser):
    """A browser's view: elements with their attributes, and the text between them."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.texts: list[str] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return "".join(self.texts)


def lately(kills: list[Fight]) -> list[Fight]:
    """The same kills, the last of them an hour ago."""
    shift = time.time() - 3_600.0 - kills[-1][2]
    return [(killer, victim, when + shift) for killer, victim, when in kills]


def farmed(killer: str, victim: str, count: int, *, begin: float) -> list[Fight]:
    return [(killer, victim, begin + 61.0 * turn) for turn in range(count)]


def facts(**changes: object) -> Facts:
    given_: dict[str, object] = {
        "ladder": "main",
        "made": START,
        "days": 2,
        "players": 3,
        "tiers": [TierShare("A", 0.5, 2), TierShare("B", 0.5, 1)],
        "unplaced": 0,
        "bounds": Bounds(3, 0, 0),
        "cure": "preset: calibrated",
        "calibration": [CalibrationBin(10, 6.0, 7.0)],
        "activity": [Day(20_000, 4, 1, 3), Day(20_001, 0, 0, 0)],
        "suspects": [Suspect("p1", "p2", 20, 1, 90.0, ("Won 20 of 21.",))],
        "names": {"p1": "Ann"},
    }
    return Facts(**{**given_, **changes})  # type: ignore[arg-type]


def test_the_report_shows_tiers_calibration_activity_and_the_farmer(tmp_path: Path) -> None:
    kills = fights(1_000)
    kills += farmed("p003", "p029", 60, begin=kills[-1][2] + 60.0)
    asyncio.run(played(tmp_path, lately(kills), names={"p003": HOSTILE, "p029": "Vic_Tim"}))
    with serving(tmp_path):
        result = run(tmp_path, "report", "out.html")
    assert result.returncode == 0, result.stderr
    html = (tmp_path / "out.html").read_text(encoding="utf-8")
    seen = Reader(html)
    assert {"html", "head", "body", "svg", "rect", "circle", "bdi"} <= set(seen.tags)
    assert not {"script", "img", "link", "iframe", "object", "image"} & set(seen.tags)
    assert not [value for _, value in seen.attributes if value and "//" in value]
    assert f"{HOSTILE} and Vic_Tim: 6" in seen.text  # the farm, and what fair fights there were
    assert "a hint and no proof" in seen.text
    assert "HT1" in seen.text
    assert "1060" in seen.text
    assert list(tmp_path.glob(".*part")) == []
    assert (tmp_path / "out.html").stat().st_mode & 0o077 == 0


def test_a_file_that_is_there_is_overwritten_only_by_force(tmp_path: Path) -> None:
    asyncio.run(played(tmp_path, lately(fights(50))))
    (tmp_path / "out.html").write_text("mine", encoding="utf-8")
    refused = run(tmp_path, "report", "out.html")
    assert refused.returncode == 1
    assert "--force" in refused.stderr
    assert (tmp_path / "out.html").read_text(encoding="utf-8") == "mine"
    assert run(tmp_path, "report", "out.html", "--force").returncode == 0
    assert "Ladder main" in (tmp_path / "out.html").read_text(encoding="utf-8")


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    asyncio.run(played(tmp_path, lately(fights(50))))
    result = run(tmp_path, "report", "nowhere/out.html")
    assert result.returncode == 1
    assert "nowhere" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_ladder_on_which_nothing_happened_has_a_report_too(tmp_path: Path) -> None:
    asyncio.run(played(tmp_path, []))
    result = run(tmp_path, "report", "out.html", "--days", "1")
    assert result.returncode == 0, result.stderr
    html = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "No kill has counted" in html
    assert "No two players stand out" in html


def test_more_days_than_a_report_looks_back_are_refused_with_the_limit(tmp_path: Path) -> None:
    asyncio.run(played(tmp_path, []))
    result = call(tmp_path, "report", "out.html", "--days", "367")
    assert result.returncode == 1
    assert "--days 367: a report looks back 366 days at most" in result.stderr
    assert not (tmp_path / "out.html").exists()
    assert call(tmp_path, "report", "out.html", "--days", "366").returncode == 0


@pytest.mark.parametrize("command", [("tune",), ("report", "out.html"), ("top",)], ids=" ".join)
def test_before_the_daemon_has_run_it_is_said_that_there_are_no_kills(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    (tmp_path / "config.yml").write_text("listen: {port: 0}\n", encoding="utf-8")
    assert call(tmp_path, "server", "add", "lobby").returncode == 0  # this makes the database
    result = call(tmp_path, *command)
    assert result.returncode == 1
    assert "there are no kills yet" in result.stderr
    assert "known" not in result.stderr


@given(words=st.text(max_size=60))
@settings(max_examples=60, deadline=None)
def test_no_name_can_become_anything_but_text(words: str) -> None:
    plain = Reader(page(facts(names={"p1": "Ann", "p2": "Bob"}, ladder="L")))
    tiers = [TierShare(words, 0.5, 2), TierShare("B", 0.5, 1)]
    seen = Reader(
        page(facts(names={"p1": words, "p2": f"{words}{HOSTILE}"}, ladder=words, tiers=tiers))
    )
    assert seen.tags == plain.tags
    assert [name for name, _ in seen.attributes] == [name for name, _ in plain.attributes]
    if words.isprintable():
        assert f"{words} and {words}{HOSTILE}: 20 and 1 kills" in seen.text
    assert all(sign.isprintable() for sign in seen.text if sign not in "\n\t")


def test_the_same_facts_give_the_same_file() -> None:
    assert page(facts()) == page(facts())


def test_every_day_has_its_place_and_its_players() -> None:
    rows = [
        PairDay("a", "b", 7, 3, 1, 9.0, 1.5, 0.7),
        PairDay("b", "a", 7, 1, 0, 3.0, 0.5, 0.2),
        PairDay("a", "c", 9, 2, 0, 3.0, 0.5, 0.2),
    ]
    assert activity(rows, first=7, last=9) == [Day(7, 4, 1, 2), Day(8, 0, 0, 0), Day(9, 2, 0, 2)]


@pytest.mark.parametrize(("happened", "low", "high"), [(81.0, 0.7222, 0.8749), (0.0, 0.0, 0.0370)])
def test_intervals_are_those_of_wilson(happened: float, low: float, high: float) -> None:
    """81 of 100 and 0 of 100, worked out by hand from Wilson's formula with z = 1.96."""
    found = interval(happened, 100)
    assert found == pytest.approx((low, high), abs=1e-4)


def paired(kills: list[Fight], chance: float = 0.5) -> list[PairDay]:
    """Kills by pair and day, every one having been given the same chance and worth 5 points."""
    days: dict[tuple[str, str, int], int] = {}
    for killer, victim, when in kills:
        key = (killer, victim, int(when // 86_400))
        days[key] = days.get(key, 0) + 1
    return [
        PairDay(*key, count, 0, 5.0 * count, chance * count, chance * (1.0 - chance) * count)
        for key, count in days.items()
    ]


def crowd(seed: int = 1) -> list[Fight]:
    """Ten evenings of twelve out of sixty who fight each other fairly, 400 kills an evening."""
    chance = random.Random(seed)
    kills = []
    for evening in range(10):
        there = [f"p{number:02}" for number in chance.sample(range(60), 12)]
        for turn in range(400):
            one, other = chance.sample(there, 2)
            kills.append((one, other, START + 86_400.0 * evening + 20.0 * turn))
    return kills


@pytest.mark.parametrize("seed", range(5))
def test_fair_evenings_make_nobody_suspicious(seed: int) -> None:
    assert suspects(paired(crowd(seed))) == []


def test_two_who_have_the_server_to_themselves_are_not_suspicious() -> None:
    kills = farmed("a", "b", 100, begin=START) + farmed("b", "a", 90, begin=START)
    assert suspects(paired(kills)) == []


def test_a_fed_farmer_is_found_with_the_numbers_why() -> None:
    kills = crowd() + farmed("p01", "p02", 100, begin=START)
    first = suspects(paired(kills))[0]
    assert (first.one, first.other) == ("p01", "p02")
    assert first.kills >= 100
    assert first.points >= 500.0
    words = " ".join(first.reasons)
    assert "in a day" in words
    assert "of all points gained came from this victim" in words
    assert "where the ratings and the fights with others let expect" in words


def test_traders_are_told_as_such() -> None:
    kills = crowd() + farmed("p01", "p02", 60, begin=START) + farmed("p02", "p01", 60, begin=START)
    (first,) = suspects(paired(kills))
    assert {first.one, first.other} == {"p01", "p02"}
    assert "points traded in turn" in first.reasons[0]


def test_who_feeds_slowly_is_found_over_the_days() -> None:
    slow = [
        ("p01", "p02", START + 86_400.0 * day + 61.0 * turn)
        for day in range(10)
        for turn in range(8)
    ]
    found = suspects(paired(crowd() + slow))
    assert [(one.one, one.other) for one in found] == [("p01", "p02")]


def test_a_strong_player_who_was_expected_to_win_is_not_suspicious() -> None:
    strong = [("p01", f"p{victim:02}", START + 61.0 * victim) for victim in range(2, 60)] * 12
    assert suspects(paired(strong, chance=0.97)) == []


def rated(kills: list[Fight], parameters: Parameters) -> tuple[list[PairDay], Ladder]:
    """The kills as a ladder with these parameters rates them, by pair."""
    ladder = Ladder(parameters)
    sums: dict[tuple[str, str], list[float]] = {}
    for killer, victim, when in kills:
        outcome = ladder.kill(killer, victim, when)
        if outcome.probability is not None:
            chance = outcome.probability
            row = sums.setdefault((killer, victim), [0, 0.0, 0.0])
            for at, more in enumerate((1, chance, chance * (1.0 - chance))):
                row[at] += more
    rows = [
        PairDay(*pair, int(START // 86_400), int(count), 0, 5.0 * count, chances, variance)
        for pair, (count, chances, variance) in sums.items()
    ]
    return rows, ladder


def uneven(count: int, *, players: int = 24, seed: int = 3) -> list[Fight]:
    """Honest fights, in which the best beats the worst a thousand times in a thousand and one."""
    chance = random.Random(seed)
    kills = []
    for turn in range(count):
        one, other = chance.sample(range(players), 2)
        wins = 1.0 / (1.0 + 1_000.0 ** ((other - one) / (players - 1)))
        pair = (one, other) if chance.random() < wins else (other, one)
        kills.append((f"p{pair[0]:02}", f"p{pair[1]:02}", START + 61.0 * turn))
    return kills


def test_honest_players_at_the_lowest_rating_are_not_suspicious() -> None:
    rows, ladder = rated(uneven(15_000), Parameters.paper())
    lowest = {who for who in ladder.players if ladder.player(who).mu < 50.0}
    assert len(lowest) >= 5
    misjudged = [
        row
        for row in rows
        if {row.killer, row.victim} <= lowest and row.kills - row.chances > 6.0 * row.variance**0.5
    ]
    assert misjudged  # their ratings alone would call it more than chance
    assert suspects(rows) == []


def test_a_weak_player_whom_a_strong_one_lets_win_is_found_among_them() -> None:
    kills = uneven(15_000)
    begin = kills[-1][2]
    rows, _ = rated(kills + farmed("p02", "p22", 60, begin=begin), Parameters.calibrated())
    found = suspects(rows)
    assert [(one.one, one.other) for one in found] == [("p02", "p22")]


def test_fitted_strengths_let_expect_as_many_kills_as_there_were() -> None:
    """What the most likely strengths of the model must do, draws against a middling one included:
    the equation is that of the likelihood, not that of the iteration."""
    kills = {("a", "b"): 6, ("b", "a"): 2, ("b", "c"): 5, ("c", "a"): 1, ("a", "d"): 9}
    found = strengths(kills, most=100)
    for who, odds in found.items():
        won = sum(count for (one, _), count in kills.items() if one == who) + PRIOR / 2.0
        expected = PRIOR * odds / (odds + 1.0)
        for pair, count in kills.items():
            if who in pair:
                other = found[pair[0] if pair[1] == who else pair[1]]
                expected += count * odds / (odds + other)
        assert expected == pytest.approx(won, rel=0.01)
    assert found["a"] > found["b"] > found["c"]


def test_kills_of_one_pair_count_no_more_than_others_for_its_strengths() -> None:
    fed = {("a", "b"): 1_000, ("b", "a"): 0, ("a", "c"): 10, ("c", "a"): 10}
    capped = fed | {("a", "b"): 15}
    assert strengths(fed, most=15) == strengths(capped, most=15)
