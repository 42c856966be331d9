"""`adr-bridge contest`: events that were, and ratings of results from outside."""

from __future__ import annotations

import asyncio
import csv
import json
import os
from io import StringIO
from pathlib import Path

import pytest

from plugin_bridge.arena import Arena
from plugin_bridge.store.rows import NameRow

from ..contests.log import Chronicle, charter
from ..store.history import make_lanes, opened, record
from .running import run


def rate(folder: Path, text: str, *options: str) -> tuple[int, str, str]:
    (folder / "round.csv").write_text(text, encoding="utf-8")
    done = run(folder, "contest", "rate", "round.csv", *options)
    return done.returncode, done.stdout, done.stderr


ROUND = "player,score,rating,contests\nann,1.0,1900,30\nbob,0.5,,\neve,0,1500,12\n"


def test_results_from_outside_are_rated_without_any_game_server(tmp_path: Path) -> None:
    code, out, _ = rate(tmp_path, ROUND)
    assert (code, out) == (0, "Wrote round-rated.csv: 3 participants.\n")
    rows = list(csv.DictReader(StringIO((tmp_path / "round-rated.csv").read_text())))
    assert [(row["player"], row["contests"]) for row in rows] == [
        ("ann", "31"),
        ("bob", "1"),
        ("eve", "13"),
    ]
    # 18 / sqrt 2 * (0.75 + 1 - 1.7 / 1.1), then 40 / sqrt 2 * (1 - 0.85 / 11 - 0.425)
    assert float(rows[0]["rating"]) == pytest.approx(1902.6034, abs=1e-4)
    assert float(rows[1]["change"]) == pytest.approx(14.0779, abs=1e-4)
    assert float(rows[2]["rating"]) == 1500.0
    again = run(tmp_path, "contest", "rate", "round-rated.csv", "--dry-run")
    assert again.returncode == 0, "what was written can be read for the next contest"


def test_names_that_look_like_formulas_are_players_like_all_others(tmp_path: Path) -> None:
    assert rate(tmp_path, "player,score\n=1+1,1\n+2,0.5\nann,0\n")[0] == 0
    rated = (tmp_path / "round-rated.csv").read_text()
    assert [line.split(",")[0] for line in rated.splitlines()[1:]] == ["'=1+1", "'+2", "ann"]
    again = run(tmp_path, "contest", "rate", "round-rated.csv", "--dry-run")
    assert "\n=1+1\t" in again.stdout and "\n+2\t" in again.stdout


def test_a_dry_run_shows_and_writes_nothing(tmp_path: Path) -> None:
    code, out, _ = rate(tmp_path, ROUND, "--dry-run")
    assert code == 0
    assert "bob\t1500\t+14.08\t1514\t1" in out
    assert "Nothing was written" in out
    assert [path.name for path in tmp_path.iterdir()] == ["round.csv"]


def test_an_older_file_is_not_written_over_unasked(tmp_path: Path) -> None:
    rate(tmp_path, ROUND)
    (tmp_path / "round-rated.csv").write_text("mine")
    code, _, error = rate(tmp_path, ROUND)
    assert code == 1 and "round-rated.csv is there already" in error
    assert (tmp_path / "round-rated.csv").read_text() == "mine"
    assert rate(tmp_path, ROUND, "--force")[0] == 0
    assert rate(tmp_path, ROUND, "-o", "other.csv")[1] == "Wrote other.csv: 3 participants.\n"


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ("dan,1.5,,", "line 4: the score must be a number from 0 to 1, not `1.5`"),
        ("dan,,,", "line 4: the score must be a number from 0 to 1, not ``"),
        ("dan,nan,,", "not `nan`"),
        ("dan", "line 4: the score must be"),
        (",1,,", "line 4: there is no player"),
        ("ann,1,,", "line 4: ann is in line 2 already"),
        (
            "dan,1,many,",
            "the rating must be a number from 1500 up, or empty for a newcomer, not `many`",
        ),
        ("dan,1,0,", "the rating must be a number from 1500 up, or empty for a newcomer, not `0`"),
        ("dan,1,1499.9,", "the rating must be a number from 1500 up"),
        ("dan,0,5,1500,3", "line 4: it has 5 cells, but there are 4 columns; decimals are written"),
        ('"d\nan",1,,', "line 5: the player has a line break"),
        ("d\0an,1,,", "line 4: the player has a line break or another invisible character in it"),
        ("d\u2028an,1,,", "line 4: the player has a line break"),
        ("dan,1,1e400,", "the rating must be"),
        ("dan,1,,-1", "line 4: contests must be a whole number"),
        ('dan,"1', "line 4: unexpected end of data"),
    ],
)
def test_a_line_that_makes_no_sense_is_named_and_nothing_is_rated(
    tmp_path: Path, row: str, words: str
) -> None:
    code, out, error = rate(tmp_path, f"player,score,rating,contests\nann,1,,\nbob,0,,\n{row}\n")
    assert (code, out) == (1, "")
    assert words in error
    assert not (tmp_path / "round-rated.csv").exists()


def test_of_many_mistakes_the_first_are_told(tmp_path: Path) -> None:
    _, _, error = rate(tmp_path, "player,score\n" + "".join(f"p{n},2\n" for n in range(30)))
    assert "line 6: " in error and "line 7: " not in error and "and 25 more" in error


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there is no player and no score among them (empty)"),
        ("name;score\nann;1\n", "its first line must name the columns"),
        ("player,score,Score\nann,1,0\n", "its first line names the column score twice"),
        ("player,score\n\n", "there is no participant in it, only the names of the columns"),
    ],
)
def test_a_file_without_the_columns_is_refused(tmp_path: Path, text: str, words: str) -> None:
    code, _, error = rate(tmp_path, text)
    assert code == 1 and words in error


def test_the_lines_of_a_file_are_those_that_an_editor_counts(tmp_path: Path) -> None:
    text = "player,score,note\r\nann,1,a\fb\u2028c\x85d\r\nbob,2,\r\n"
    assert "line 3: the score must be" in rate(tmp_path, text)[2]


def test_writing_results_touches_nothing_but_the_file_that_was_named(tmp_path: Path) -> None:
    (tmp_path / "round-rated.csv.part").write_text("mine")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link.csv").symlink_to("elsewhere.csv")
    assert rate(tmp_path, ROUND)[0] == 0
    os.mkfifo(tmp_path / "pipe")
    for options in ((), ("--force",)):
        code, _, error = rate(tmp_path, ROUND, "-o", "pipe", *options)
        assert code == 1 and "pipe: this is no ordinary file; name another" in error
    assert (tmp_path / "pipe").is_fifo()
    assert rate(tmp_path, ROUND, "-o", "link.csv", "--force")[0] == 0
    code, _, error = rate(tmp_path, ROUND, "-o", "folder", "--force")
    assert code == 1 and "folder: this is a folder; name a file to write" in error
    assert (tmp_path / "link.csv").is_symlink() and (tmp_path / "elsewhere.csv").is_file()
    assert (tmp_path / "round-rated.csv.part").read_text() == "mine"
    assert len(list(tmp_path.iterdir())) == 7, "nothing half done stays"


def test_a_file_that_is_not_there_is_an_error_in_one_line(tmp_path: Path) -> None:
    done = run(tmp_path, "contest", "rate", "none.csv")
    assert (done.returncode, done.stderr) == (
        1,
        "adr-bridge: none.csv: No such file or directory\n",
    )


@pytest.fixture
def played(tmp_path: Path) -> Path:
    """A folder with a database that has seen two contests, of which one is still on."""
    (tmp_path / "config.yml").write_text("storage: {database: adr.sqlite3}\n")
    past = Chronicle()
    past.start(charter("ann", "bob"))
    past.kills("ann>bob", "ann>bob")
    past.add("contest_end", 600)
    past.start(charter("ann"), at=900, contest=2)

    async def fill() -> None:
        async with opened(tmp_path / "adr.sqlite3") as store:
            await make_lanes(store)
            await record(store, Arena(), [past.entries], [NameRow("ann", "Ann", 1.0)])

    asyncio.run(fill())
    return tmp_path


def test_events_are_listed_the_latest_first(played: Path) -> None:
    done = run(played, "contest", "list")
    assert done.stdout.splitlines() == [
        "contest\tserver\tladder\tstarted\tplayers\tstate",
        "#2\tsurvival\tmain\t2023-11-14 22:28 UTC\t1\trunning",
        "#1\tsurvival\tmain\t2023-11-14 22:13 UTC\t2\trated",
    ]
    listed = json.loads(run(played, "contest", "list", "1", "--json").stdout)
    assert [(one["contest"], one["state"]) for one in listed] == [(2, "running")]


def test_an_event_is_shown_with_everybody_in_it(played: Path) -> None:
    done = run(played, "contest", "show", "1")
    assert "1\tAnn\t2\t0\t1.000\t1500\t+23.0\t1523" in done.stdout
    assert "2\tbob\t0\t2\t0.000\t1500\t+0.0\t1500" in done.stdout
    shown = json.loads(run(played, "contest", "show", "1", "--json").stdout)
    assert [(s["name"], s["after"]) for s in shown["standings"]] == [
        ("Ann", 1523.0),
        ("bob", 1500.0),
    ]
    running = run(played, "contest", "show", "2")
    assert "-\tAnn\t0\t0\t-\t-\t-\t-" in running.stdout


def test_an_event_is_exported_as_csv(played: Path) -> None:
    done = run(played, "contest", "export", "1")
    assert done.stdout.splitlines() == [
        "place,player,name,kills,deaths,score,contests,before,after",
        "1,ann,Ann,2,0,1.0,0,1500.0,1523.0",
        "2,bob,bob,0,2,0.0,0,1500.0,1500.0",
    ]


def test_an_event_that_never_was_is_an_error_that_says_where_to_look(played: Path) -> None:
    done = run(played, "contest", "show", "7")
    assert (done.returncode, done.stderr) == (
        1,
        "adr-bridge: there is no contest 7; see: adr-bridge contest list\n",
    )


@pytest.mark.parametrize(
    "words",
    [("show", "9" * 20), ("export", "0"), ("list", "-5"), ("list", "0" * 12 + "1000001")],
)
def test_a_number_that_cannot_be_is_refused_in_words(played: Path, words: tuple[str, ...]) -> None:
    done = run(played, "contest", *words)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert "is no number from 1 to 1000000" in done.stderr
