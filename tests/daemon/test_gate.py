"""Guessing tokens gets slower and slower, but for local servers."""

import pytest

from plugin_bridge.gate import ADDRESSES_REMEMBERED, PAUSES, Gate

STRANGER = "203.0.113.7"


def test_the_pauses_grow_with_every_wrong_token_up_to_the_longest() -> None:
    gate = Gate()
    assert gate.shut_until(STRANGER) == 0
    pauses = []
    for number in range(12):
        gate.wrong(STRANGER, now=100.0 * number)
        pauses.append(gate.shut_until(STRANGER) - 100.0 * number)
    assert pauses[0] == 0
    assert pauses == sorted(pauses)
    assert set(pauses[-3:]) == {max(PAUSES)}


def test_a_right_token_clears_the_address_and_others_are_not_concerned() -> None:
    gate = Gate()
    for _ in range(5):
        gate.wrong(STRANGER, now=50.0)
    assert gate.shut_until(STRANGER) > 50.0
    assert gate.shut_until("203.0.113.8") == 0
    gate.right(STRANGER)
    assert gate.shut_until(STRANGER) == 0


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "::1"])
def test_local_servers_never_wait_for_each_others_mistakes(address: str) -> None:
    gate = Gate()
    for _ in range(50):
        gate.wrong(address, now=50.0)
    assert gate.shut_until(address) == 0


def test_only_the_first_tenth_hundredth_mistake_is_worth_a_line() -> None:
    gate = Gate()
    told = [n for n in range(1, 1001) if gate.wrong(STRANGER, now=0.0)]
    assert told == [1, 10, 100, 1000]


def test_addresses_are_not_remembered_without_end() -> None:
    gate = Gate()
    for number in range(3 * ADDRESSES_REMEMBERED):
        gate.wrong(f"2001:db8::{number:x}", now=0.0)
    assert len(gate._failures) <= ADDRESSES_REMEMBERED
