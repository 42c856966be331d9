"""Kills between two players of one internet connection, where those shall not be rated."""

from __future__ import annotations

import pytest

from plugin_bridge.protocol.packets import Present
from plugin_bridge.roster import ADDRESSES_REMEMBERED, Roster

from .mod import Mod, awaited
from .running import Home, settings

HOME_OF_ANN, HOME_OF_EVE = "a" * 32, "e" * 32
GUARDED = "filters: {same_address: ignore}"


def counted(home: Home) -> list[tuple[str, str, str | None]]:
    return home.rows(
        "SELECT killer, victim, reason FROM events JOIN outcomes USING (position) ORDER BY position"
    )


@pytest.mark.parametrize("guarded", [True, False])
def test_kills_within_one_household_are_recorded_and_rated_only_where_wanted(
    home: Home, guarded: bool
) -> None:
    home.save(settings(*[GUARDED] * guarded))

    @awaited
    async def scenario() -> None:
        mod = Mod()
        mod.online["ann"] = {"id": "ann", "name": "Ann", "address": HOME_OF_ANN}
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.join("alt", address=HOME_OF_ANN)
            await mod.join("eve", address=HOME_OF_EVE)
            await mod.join("dan")
            await mod.join("bob")
            for fight in (("ann", "alt"), ("ann", "eve"), ("alt", "ann"), ("dan", "bob")):
                await mod.kill(*fight)
        reason = "same_address" if guarded else None
        assert counted(home) == [
            ("ann", "alt", reason),
            ("ann", "eve", None),
            ("alt", "ann", reason),
            ("dan", "bob", None),
        ]

    with home.serving() as daemon:
        scenario()
    awaited(home.replays)()


def test_a_kill_that_is_told_after_its_victim_has_left_is_known_too(home: Home) -> None:
    home.save(settings(GUARDED))

    @awaited
    async def scenario() -> None:
        mod = Mod()
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.join("ann", address=HOME_OF_ANN)
            await mod.join("alt", address=HOME_OF_ANN)
            await mod.quit("alt")
            await mod.kill("ann", "alt", cause="combat_log")
        assert counted(home) == [("ann", "alt", "same_address")]

    with home.serving() as daemon:
        scenario()


def test_nothing_that_is_kept_or_shown_holds_an_address(home: Home) -> None:
    home.save(settings(GUARDED))

    @awaited
    async def scenario() -> None:
        mod = Mod()
        async with mod.connected(daemon.url, home.tokens["survival"]):
            await mod.join("ann", address=HOME_OF_ANN)
            await mod.join("alt", address=HOME_OF_ANN)
            await mod.kill("ann", "alt")
            await mod.settled()
            assert HOME_OF_ANN not in str(mod.inbox)

    with home.serving() as daemon:
        scenario()
    for file in home.folder.iterdir():
        assert HOME_OF_ANN.encode() not in file.read_bytes(), file


def test_such_a_kill_is_in_no_event_either(home: Home) -> None:
    home.save(settings(GUARDED, "events: {min_players: 2}"))

    @awaited
    async def scenario() -> None:
        mod = Mod()
        async with mod.connected(daemon.url, home.tokens["survival"]):
            for player in ("ann", "alt"):
                await mod.join(player, address=HOME_OF_ANN)
            await mod.join("bob", address=HOME_OF_EVE)
            await mod.ask("event start", by=None)
            await mod.kill("ann", "alt")
            await mod.kill("bob", "ann")
            await mod.ask("event stop", by=None)
        kills = "SELECT player, kills FROM contest_standings ORDER BY player"
        assert home.rows(kills) == [("ann", 0), ("bob", 1)]

    with home.serving() as daemon:
        scenario()


def test_addresses_are_compared_on_one_server_only_and_not_remembered_for_ever() -> None:
    roster = Roster()
    roster.hello("survival", [Present("ann", address=HOME_OF_ANN), Present("bob")])
    roster.join("duels", Present("alt", address=HOME_OF_ANN))
    assert not roster.same_address("survival", "ann", "alt")
    assert not roster.same_address("survival", "bob", "nobody")
    roster.join("survival", Present("alt", address=HOME_OF_ANN))
    assert roster.same_address("survival", "ann", "alt")
    roster.forget("survival")
    assert roster.same_address("survival", "ann", "alt")
    roster.join("survival", Present("alt", address=HOME_OF_EVE))
    assert not roster.same_address("survival", "ann", "alt")
    for number in range(ADDRESSES_REMEMBERED + 5):
        roster.join("duels", Present(f"p{number}", address=HOME_OF_EVE))
        roster.quit("duels", f"p{number}")
    assert len(roster._addresses) == ADDRESSES_REMEMBERED
