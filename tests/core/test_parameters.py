"""Parameters: the paper's table, the presets, and what is refused in which words."""

from __future__ import annotations

import dataclasses
import json
import math
from typing import Any

import pytest
from hypothesis import given

from adr_core import ParameterError, Parameters

from .streams import PATIENT, legal_parameters

TABLE = {
    "mu_0": 1000,
    "mu_min": 0,
    "mu_max": 4000,
    "sigma_0": 350,
    "sigma_min": 10,
    "sigma_max": 400,
    "gamma": 100,
    "sigma_peak": 200,
    "eta_min": 4,
    "eta_max": 40,
    "rho_s": 0.15,
    "s_max": 5,
    "rho_v": 0.3,
    "w_ref": 20,
    "gamma_phi": 0.3,
    "lambda_phi": 0.2,
    "c_loss": 0.8,
    "t_cooldown": 60,
    "theta": 400,
    "lambda_": 0.5,
    "tau": 30,
    "sigma_drift": 5,
    "t_return": 60,
    "alpha": 0.7,
    "lambda_pool": 0.2,
    "nu_min": -60,
    "nu_max": 60,
    "delta_max": 60,
    "n_min": 15,
    "sigma_place": 180,
    "t_active": 7,
    "n_active": 5,
    "p_min": 20,
    "h_req": 400,
    "beta": 0.2,
    "window": 20,
}
BEYOND = {
    "spread": 200,
    "pairs_remembered": 200_000,
    "shares": (1 / 15,) * 15,
    "victim_loss": "winner_probability",
    "return_events": 1,
    "pool_drains": False,
    "link": "arctangent",
    "peak_power": 1.0,
    "evidence": "event",
    "trend_noise": 0.0,
    "pair_limit": 0.0,
    "recentring": 0.0,
}


def test_the_defaults_are_the_table_of_section_9() -> None:
    values = dataclasses.asdict(Parameters())
    assert values == {**TABLE, **BEYOND}


def test_the_default_is_the_letter_of_the_paper() -> None:
    assert Parameters() == Parameters.paper()


def test_the_consistent_preset_differs_in_its_three_switches_alone() -> None:
    paper, consistent = Parameters.paper().to_dict(), Parameters.consistent().to_dict()
    assert {name: consistent[name] for name in paper if paper[name] != consistent[name]} == {
        "victim_loss": "prediction_error",
        "return_events": 15,
        "pool_drains": True,
    }


@PATIENT
@given(p=legal_parameters())
def test_parameters_survive_a_dictionary_json_and_a_copy(p: Parameters) -> None:
    assert Parameters.from_dict(json.loads(json.dumps(p.to_dict()))) == p
    assert dataclasses.replace(p) == p


def test_a_dictionary_may_name_a_few_and_take_the_rest_from_a_preset() -> None:
    assert Parameters.from_dict({"mu_0": 500}) == Parameters(mu_0=500.0)
    mixed = Parameters.from_dict({"mu_0": 500, "return_events": 3}, preset="consistent")
    assert mixed == dataclasses.replace(Parameters.consistent(), mu_0=500.0, return_events=3)


def test_the_pool_bounds_follow_the_change_limit_unless_they_are_given() -> None:
    assert (Parameters(delta_max=30).nu_min, Parameters(delta_max=30).nu_max) == (-30.0, 30.0)
    assert Parameters(delta_max=30, nu_max=5).nu_max == 5.0


def test_whole_numbers_become_floats_and_whole_floats_counts() -> None:
    p = Parameters.from_dict({"mu_0": 900, "n_min": 7.0, "shares": [1, 1e-6]})
    assert isinstance(p.mu_0, float)
    assert isinstance(p.n_min, int)
    assert sum(p.shares) == pytest.approx(1.0, abs=1e-12)


def test_shares_that_nearly_add_up_are_scaled_and_others_refused() -> None:
    assert Parameters(shares=(0.5, 0.5000005)).shares[0] < 0.5
    with pytest.raises(ParameterError, match=r"shares = .*: must add up to 1, not to 0\.9"):
        Parameters(shares=(0.5, 0.4))


def test_an_unknown_name_is_refused_with_the_nearest_known_one() -> None:
    with pytest.raises(
        ParameterError, match=r"sigma_palce = 3: .*did you mean sigma_place"
    ) as caught:
        Parameters.from_dict({"sigma_palce": 3})
    assert (caught.value.field, caught.value.value) == ("sigma_palce", 3)
    with pytest.raises(ParameterError, match="lambda_"):
        Parameters.from_dict({"lambda": 3})
    with pytest.raises(ParameterError, match="preset"):
        Parameters.from_dict({}, preset="papre")  # type: ignore[arg-type]


NUMBERS = [
    name for name in {**TABLE, **BEYOND} if name not in ("shares", "victim_loss", "pool_drains")
]


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, True, None, "7", 10**400, 1e10])
@pytest.mark.parametrize("name", NUMBERS)
def test_what_is_no_sensible_number_is_refused_by_every_number(name: str, value: Any) -> None:
    with pytest.raises(ParameterError) as caught:
        Parameters(**{name: value})
    assert caught.value.field == name
    assert caught.value.value is value
    assert caught.value.rule
    assert str(caught.value) == f"{name} = {value!r}: {caught.value.rule}"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("c_loss", 0),
        ("c_loss", 1.01),
        ("beta", 0),
        ("lambda_pool", 0),
        ("alpha", -0.1),
        ("lambda_phi", 1.1),
        ("theta", 0),
        ("tau", 0),
        ("gamma", 0),
        ("sigma_peak", 0),
        ("w_ref", 0),
        ("h_req", 0),
        ("delta_max", 0),
        ("delta_max", "x"),
        ("sigma_min", 0),
        ("spread", 0),
        ("lambda_", -1),
        ("rho_s", -1),
        ("nu_min", 1),
        ("nu_max", -1),
        ("window", 0),
        ("window", 2.5),
        ("n_active", 0),
        ("p_min", 0),
        ("pairs_remembered", 0),
        ("return_events", 0),
        ("s_max", -1),
        ("victim_loss", "all"),
        ("victim_loss", None),
        ("pool_drains", 1),
        ("shares", (1.0,)),
        ("shares", "1"),
        ("shares", ()),
        ("shares", (1.0, 0.0)),
        ("shares", (1.5, -0.5)),
        ("shares", (math.nan, 1.0)),
        ("shares", (1.0, True)),
        ("shares", (1 / 1001,) * 1001),
        ("mu_0", -1),
        ("mu_0", 4001),
        ("mu_max", 900),
        ("sigma_0", 401),
        ("sigma_min", 351),
        ("eta_min", 41),
    ],
)
def test_values_outside_their_rule_are_refused(name: str, value: Any) -> None:
    with pytest.raises(ParameterError):
        Parameters(**{name: value})


def test_an_order_that_is_broken_names_both_sides() -> None:
    with pytest.raises(
        ParameterError, match=r"sigma_max = 300\.0: must not be below sigma_0 \(350"
    ):
        Parameters(sigma_max=300)
    with pytest.raises(ParameterError, match=r"mu_max = 5\.0: must be above mu_min"):
        Parameters(mu_min=5, mu_0=5, mu_max=5)


def test_parameters_cannot_be_changed_and_take_no_positions() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        Parameters().mu_0 = 5.0  # type: ignore[misc]
    with pytest.raises(TypeError):
        Parameters(1000.0)  # type: ignore[misc]
