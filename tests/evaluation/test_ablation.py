"""Taking the calibrated preset apart, switch by switch."""

from __future__ import annotations

from dataclasses import fields

from evaluation.ablation import WITHOUT, ablated, ablation_section, steps
from evaluation.stream import Setting

from adr_core import Parameters


def test_every_switch_that_is_on_in_calibrated_alone_is_switched_off_once() -> None:
    names = [field.name for field in fields(Parameters)]
    switches = names[names.index("link") :]
    off = Parameters.consistent()
    on = [name for name in switches if getattr(Parameters.calibrated(), name) != getattr(off, name)]
    assert {"link", "evidence", "recentring"} <= set(on)
    for name in on:
        (changes,) = [one for one in WITHOUT.values() if name in one]
        assert changes[name] == getattr(off, name)


def test_the_table_shows_each_variant_beside_the_whole() -> None:
    told: list[str] = []
    found = ablated(Setting(players=40, kills=600), [1, 2], 500, told.append)
    assert len(told) == steps(2)
    lines = ablation_section(found, 2, 500).splitlines()
    rows = [line for line in lines if " ± " in line][1:]
    assert [row.split("|")[1].strip() for row in rows] == list(WITHOUT)
    assert "+0.0000 ± 0.0000" in rows[0]
    assert "+0.0000 ± 0.0000" not in rows[1]
