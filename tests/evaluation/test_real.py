"""Kills out of a file: what is read, what is refused, and that nobody sees the future."""

from pathlib import Path

import numpy as np
import pytest
from evaluation import real, report_real
from evaluation.systems import Elo, Glicko2, Guarded

from plugin_bridge.errors import UsageError


def table(folder: Path, *lines: str) -> Path:
    path = folder / "kills.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def rows(count: int, *, server: str = "s", seed: int = 1) -> list[str]:
    """Kills among nine, where p0 is the strongest; one a minute."""
    chance, found = np.random.default_rng(seed), []
    for number in range(count):
        one, other = sorted(chance.permutation(9)[:2])
        if chance.random() > 0.5 + 0.05 * (other - one):
            one, other = other, one
        found.append(f"{server},p{one},p{other},{1.7e9 + 60 * number:.0f}")
    return found


HEAD = "server_id,killer,victim,time"


def test_servers_are_kept_apart_and_small_ones_left_out(tmp_path: Path) -> None:
    path = table(
        tmp_path, HEAD, *rows(300), *rows(250, server="t"), *rows(9, server="u"), "s,a,a,1"
    )
    found = real.read(path, real.COLUMNS)
    assert {name: len(fights) for name, fights in found.servers.items()} == {"s": 300, "t": 250}
    assert (found.kills, found.left_out, found.suicides, found.timed) == (550, 9, 1, True)


def test_kills_go_by_their_times_and_without_any_by_the_file(tmp_path: Path) -> None:
    backwards = rows(300)[::-1]
    found = real.read(table(tmp_path, HEAD, *backwards), real.COLUMNS).servers["s"]
    assert [time for _, _, time in found] == [1.7e9 + 60 * number for number in range(300)]
    bare = [",".join(row.split(",")[1:3]) for row in backwards]
    untimed = real.read(table(tmp_path, "killer,victim", *bare), real.COLUMNS)
    assert not untimed.timed
    assert [f"{one},{other}" for one, other, _ in untimed.servers[""]] == bare
    assert untimed.servers[""][2][2] == 2 * real.PACE


def test_kills_of_one_moment_are_put_in_the_same_random_order_every_time(tmp_path: Path) -> None:
    same = [",".join([*row.split(",")[:3], "5"]) for row in rows(300)]
    path = table(tmp_path, HEAD, *same)
    found = real.read(path, real.COLUMNS).servers["s"]
    given = [(row.split(",")[1], row.split(",")[2], 5.0) for row in same]
    assert found != given
    assert sorted(found) == sorted(given)
    assert real.read(path, real.COLUMNS).servers["s"] == found


def test_other_names_of_columns_can_be_given(tmp_path: Path) -> None:
    path = table(tmp_path, "world,won,lost", *[row.rsplit(",", 1)[0] for row in rows(300)])
    with pytest.raises(UsageError, match=r"no column `killer`.*--columns killer=NAME"):
        real.read(path, real.COLUMNS)
    names = real.COLUMNS | {"killer": "won", "victim": "lost", "server": "world"}
    assert real.read(path, names).kills == 300


@pytest.mark.parametrize(
    ("bad", "words"),
    [("s,,b,5", ":302: `killer` is empty"), ("s,a,b,soon", ":302: `time`: 'soon' is no time")],
)
def test_a_bad_row_is_named_by_its_line(tmp_path: Path, bad: str, words: str) -> None:
    with pytest.raises(UsageError) as raised:
        real.read(table(tmp_path, HEAD, *rows(300), bad), real.COLUMNS)
    assert words in str(raised.value)


def test_too_few_kills_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nothing to judge"):
        real.read(table(tmp_path, HEAD, *rows(50)), real.COLUMNS)


def test_each_kill_is_foretold_before_it_is_learnt_and_the_second_half_judged(
    tmp_path: Path,
) -> None:
    found = real.read(table(tmp_path, HEAD, *rows(2_000)), real.COLUMNS)
    done: list[str] = []
    judged = real.judged(found, {"Elo": Elo, "Glicko-2": Glicko2, "coin": Coin}, done.append)
    assert done == ["Elo", "Glicko-2", "coin"]
    assert len(judged["Elo"].pooled) == 1_000
    values = report_real.values_of(judged)
    assert values["coin"]["log loss"] == pytest.approx(np.log(2.0))
    assert values["coin"]["auc"] == pytest.approx(0.5)
    assert values["coin"]["favourite won"] == 0.5
    assert values["Glicko-2"]["log loss"] < np.log(2.0)
    better, error = real.gain(judged["Glicko-2"], judged["coin"])
    assert better == pytest.approx(np.log(2.0) - values["Glicko-2"]["log loss"])
    assert better > 2.0 * error > 0.0
    elo = Elo()
    chances = [elo.observe(*fight) for fight in found.servers["s"]]
    assert judged["Elo"].pooled.tolist() == chances[1_000:]
    text = report_real.real_section(found, judged, {"Elo tuned": {"k": 8.0}})
    assert "2000 kills of 1 servers" in text
    assert "Elo tuned: k 8" in text


class Coin(Guarded):
    """Knows nothing, and says so."""

    def __init__(self) -> None:
        super().__init__(Elo(), cooldown=float("inf"))
