"""The limit on a pair, with and without."""

from evaluation.guards import LIMIT, guarded, guards_section, variants
from evaluation.stream import Setting


def test_the_limit_on_a_pair_takes_the_gain_out_of_one_accomplice() -> None:
    done: list[str] = []
    values = guarded(Setting(players=40, kills=2_000, farmed=60), [1], done.append, warm=1_000)
    assert list(values) == list(variants())
    assert len(done) == 2 * len(values)
    for name in ("consistent, c_loss 1", "calibrated"):
        free, limited = (
            values[f"{name}, {words}"] for words in ("no limit", f"pair_limit {LIMIT:g}")
        )
        assert limited["farm rise"][0] < 0.5 * free["farm rise"][0]
    text = guards_section(values, 1)
    assert all(name in text for name in values)
