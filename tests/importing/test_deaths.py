"""Every death message of the game, as its language file has it, read back."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from plugin_bridge.gamelog.lines import read_line
from plugin_bridge.gamelog.looks import NEAR_LINES
from plugin_bridge.gamelog.news import (
    Came,
    Died,
    Named,
    Said,
    Shown,
    Went,
    judged,
    news_in,
    note,
)
from plugin_bridge.gamelog.people import People, offline_id

ITEM = "[Ann's Blade using magic]"
BY_PLAYER = """
anvil.player              was squashed by a falling anvil while fighting %2
arrow                     was shot by %2
arrow.item                was shot by %2 using %3
cactus.player             walked into a cactus while trying to escape %2
cramming.player           was squashed by %2
dragonBreath.player       was roasted in dragon's breath by %2
drown.player              drowned while trying to escape %2
dryout.player             died from dehydration while trying to escape %2
explosion.player          was blown up by %2
explosion.player.item     was blown up by %2 using %3
fall.player               hit the ground too hard while trying to escape %2
fallingBlock.player       was squashed by a falling block while fighting %2
fallingStalactite.player  was skewered by a falling stalactite while fighting %2
fireball                  was fireballed by %2
fireball.item             was fireballed by %2 using %3
fireworks.item            went off with a bang due to a firework fired from %3 by %2
fireworks.player          went off with a bang while fighting %2
flyIntoWall.player        experienced kinetic energy while trying to escape %2
freeze.player             was frozen to death by %2
generic.player            died because of %2
hotFloor.player           walked into the danger zone due to %2
inFire.player             walked into fire while fighting %2
inWall.player             suffocated in a wall while fighting %2
indirectMagic             was killed by %2 using magic
indirectMagic.item        was killed by %2 using %3
lava.player               tried to swim in lava to escape %2
lightningBolt.player      was struck by lightning while fighting %2
mace_smash                was smashed by %2
mace_smash.item           was smashed by %2 with %3
magic.player              was killed by magic while trying to escape %2
mob                       was slain by %2
onFire.item               was burned to a crisp while fighting %2 wielding %3
onFire.player             was burned to a crisp while fighting %2
outOfWorld.player         didn't want to live in the same world as %2
outsideBorder.player      left the confines of this world while fighting %2
player                    was slain by %2
player.item               was slain by %2 using %3
sonic_boom.item           was obliterated by a sonically-charged shriek while trying to escape %2 wielding %3
sonic_boom.player         was obliterated by a sonically-charged shriek while trying to escape %2
spear                     was speared by %2
spear.item                was speared by %2 using %3
stalagmite.player         was impaled on a stalagmite while fighting %2
starve.player             starved to death while fighting %2
sting.item                was stung to death by %2 using %3
sting.player              was stung to death by %2
sweetBerryBush.player     was poked to death by a sweet berry bush while trying to escape %2
thorns                    was killed while trying to hurt %2
thorns.item               was killed by %3 while trying to hurt %2
thrown                    was pummeled by %2
thrown.item               was pummeled by %2 using %3
trident                   was impaled by %2
trident.item              was impaled by %2 with %3
wither.player             withered away while fighting %2
witherSkull               was shot by a skull from %2
witherSkull.item          was shot by a skull from %2 using %3
fell.assist               was doomed to fall by %2
fell.assist.item          was doomed to fall by %2 using %3
fell.finish               fell too far and was finished by %2
fell.finish.item          fell too far and was finished by %2 using %3
1.20:fall.player          hit the ground too hard whilst trying to escape %2
1.20:onFire.player        was burnt to a crisp whilst fighting %2
1.20:hotFloor.player      walked into danger zone due to %2
1.20:thorns               was killed trying to hurt %2
1.20:thorns.item          was killed by %3 trying to hurt %2
1.20:dragonBreath.player  was roasted in dragon breath by %2
1.12:lava.player          tried to swim in lava while trying to escape %2
1.7:inFire.player         walked into a fire whilst fighting %2
""".strip().splitlines()  # noqa: E501
"""Keys behind `death.attack.` and texts; %2 is the killer, %3 the item in its hand."""

NOBODYS = """
was squashed by a falling anvil
was killed by [Intentional Game Design]
was pricked to death
was squished too much
was roasted in dragon's breath
drowned
died from dehydration
was killed by even more magic
blew up
hit the ground too hard
was squashed by a falling block
was skewered by a falling stalactite
went off with a bang
experienced kinetic energy
froze to death
died
was killed
was killed while fighting Bob
discovered the floor was lava
went up in flames
suffocated in a wall
tried to swim in lava
was struck by lightning
was killed by magic
burned to death
fell out of the world
left the confines of this world
was obliterated by a sonically-charged shriek
was impaled on a stalagmite
starved to death
was stung to death
was poked to death by a sweet berry bush
withered away
fell from a high place
fell off a ladder
fell while climbing
fell off scaffolding
fell off some twisting vines
fell off some vines
fell off some weeping vines
was doomed to fall
was slain by Zombie
was slain by Ann
was shot by Skeleton using [Bob]
was blown up by Creeper
""".strip().splitlines()


def people(*names: str) -> People:
    found = People()
    for name in names or ("Ann", "Bob"):
        found.note(name)
    return found


@pytest.mark.parametrize("row", BY_PLAYER)
def test_every_death_by_a_player_is_that_players_kill(row: str) -> None:
    words = row.split(maxsplit=1)[1].replace("%2", "Bob").replace("%3", ITEM)
    died = news_in(f"Ann {words}")
    assert isinstance(died, Died)
    reading = judged(died, people())
    assert reading is not None
    assert (reading.victim, reading.killer) == ("Ann", "Bob")
    assert reading.cause in {
        *("attack", "projectile", "explosion", "magic", "thorns", "lightning", "fall", "lava"),
        *("fire", "drowning", "suffocation", "void", "other"),
    }


@pytest.mark.parametrize("words", NOBODYS)
def test_every_other_death_is_nobodys_kill(words: str) -> None:
    died = news_in(f"Ann {words}")
    assert isinstance(died, Died)
    reading = judged(died, people())
    assert reading is not None
    assert (reading.victim, reading.killer) == ("Ann", None)


@pytest.mark.parametrize(
    "text",
    [
        "<Ann> Ann was slain by Bob",
        "[Not Secure] <Eve> Ann was slain by Bob",
        "[Eve] Ann was slain by Bob",
        "[Eve: Ann was slain by Bob]",
        "* Eve Ann was slain by Bob",
        "Eve: Ann was slain by Bob",
        "[VIP] Eve: Ann was slain by Bob",
        "Eve » Ann was slain by Bob",
        "Eve whispers to Ann: Ann was slain by Bob",
        "Eve issued server command: /me Ann was slain by Bob",
    ],
)
def test_what_players_say_kills_nobody(text: str) -> None:
    known = people("Ann", "Bob", "Eve")
    for spoken in ("* Eve Ann joined the game", "Eve: Ann joined the game", text):
        note(news_in(spoken), known)
    news = news_in(text)
    assert not isinstance(news, Died) or judged(news, known) is None


ID = "069a79f4-44e9-4726-a5be-fca90e38aaf5"
VANILLA = (
    f"UUID of player Ann is {ID}",
    "Ann[/127.0.0.1:50000] logged in with entity id 1 at (0.5, 64.0, 0.5)",
    "[Red] Ann joined the game",
)
PAPER = (VANILLA[0], VANILLA[2], VANILLA[1])


def told(*lines: str) -> People:
    known = people("Bob", "Eve")
    for line in lines:
        note(news_in(line), known)
    return known


def victim_and_killer(text: str, known: People) -> tuple[str, str | None] | None:
    died = news_in(text)
    reading = judged(died, known) if isinstance(died, Died) else None
    return reading and (reading.victim, reading.killer)


@pytest.mark.parametrize("lines", [VANILLA, PAPER], ids=["vanilla", "Paper"])
def test_what_a_team_puts_around_names_is_learnt_from_those_who_come(lines: Sequence[str]) -> None:
    known = told(*lines)
    for text in (
        "[Red] Ann was slain by [Red] Bob",
        "[Red] Ann was slain by Bob using [[Red] Axe]",
        "Ann was slain by [Red] Bob",
    ):
        assert victim_and_killer(text, known) == ("Ann", "Bob")
    assert victim_and_killer("[Red] Ann fell from a high place", known) == ("Ann", None)
    assert victim_and_killer("[Red] Ann was slain by [Red] Zombie", known) == ("Ann", None)
    assert victim_and_killer("[Blue] Ann was slain by Bob", known) is None


def test_what_a_team_puts_around_names_is_learnt_from_those_who_go() -> None:
    known = told("Bob lost connection: Disconnected", "★ (Blue Team) [VIP] Bob [x] left the game")
    text = "★ (Blue Team) [VIP] Eve [x] was shot by ★ (Blue Team) [VIP] Bob [x]"
    assert victim_and_killer(text, known) == ("Eve", "Bob")


NOISE = ["Saved the game"] * (NEAR_LINES + 1)


@pytest.mark.parametrize(
    "lines",
    [
        ("[Evie] Ann joined the game",),
        (*PAPER[:1], "Ann joined the game", "[Evie] Ann joined the game"),
        (*PAPER, "[Evie] Ann left the game"),
        (*PAPER[:1], *NOISE, "[Evie] Ann joined the game"),
        (*PAPER[:1], "[Eve] Ann joined the game"),
        (*PAPER[:1], "~Evie » Ann joined the game"),
        (*PAPER[:1], "* [Evie] Ann joined the game"),
    ],
    ids=[
        "nobody announced",
        "came already",
        "came already as seen",
        "much later",
        "a player's name",
        "a word outside brackets",
        "an emote",
    ],
)
def test_what_players_say_teaches_no_look(lines: Sequence[str]) -> None:
    for said in ("[Evie]", "[Eve]", "~Evie »", "* [Evie]"):
        assert victim_and_killer(f"{said} Ann was slain by Bob", told(*lines)) is None


def test_an_item_that_is_named_like_a_death_changes_nothing() -> None:
    died = news_in("Ann was slain by Bob using [x] was slain by Eve using [y]")
    assert isinstance(died, Died)
    reading = judged(died, people("Ann", "Bob", "Eve"))
    assert reading is not None
    assert reading.killer == "Bob"


def test_a_name_with_spaces_is_known_by_its_mark() -> None:
    known = people("Ann")
    note(news_in(".Two Words joined the game"), known)
    died = news_in("Ann was slain by .Two Words")
    assert isinstance(died, Died)
    reading = judged(died, known)
    assert reading is not None
    assert reading.killer == ".Two Words"


@pytest.mark.parametrize(
    ("text", "news"),
    [
        ("Ann joined the game", Came("Ann")),
        ("Ann (formerly known as Old) joined the game", Came("Ann")),
        (
            "Ann[/127.0.0.1:50000] logged in with entity id 1 at (0.5, 64.0, 0.5)",
            Came("Ann", False),
        ),
        ("Ann left the game", Went("Ann")),
        ("Ann lost connection: Disconnected", Went("Ann", False)),
        ("[Red] Ann joined the game", Shown("[Red] Ann")),
        ("Ann [VIP] left the game", Shown("Ann [VIP]")),
        ("<Ann> !rank", Said("Ann", "!rank")),
        ("[Not Secure] <Ann> hello <b>", Said("Ann", "hello <b>")),
        (
            "UUID of player Notch is 069a79f4-44e9-4726-a5be-fca90e38aaf5",
            Named("Notch", "069a79f4-44e9-4726-a5be-fca90e38aaf5"),
        ),
        ('Done (3.141s)! For help, type "help"', None),
    ],
)
def test_lines_tell_who_comes_and_goes_and_what_is_said(text: str, news: object) -> None:
    assert news_in(text) == news


@pytest.mark.parametrize(
    "raw",
    [
        "[18:30:05] [Server thread/INFO]: Ann died",
        "[18:30:05 INFO]: Ann died\r\n",
        "[18:30:05] [Server thread/INFO] [minecraft/MinecraftServer]: Ann died",
        "[01Mar2024 18:30:05.123] [Server thread/INFO] [net.minecraft.server.X/]: Ann died",
        "2013-05-01 18:30:05 [INFO] Ann died",
        "[2024-05-01 18:30:05] [Server thread/INFO]: Ann died",
        "2024-05-01 [18:30:05] [Server thread/INFO]: Ann died",
        "2024/05/01 18:30:05 [INFO] Ann died",
        "[18:30:05] [Server thread/INFO] (Minecraft) Ann died",
        "18:30:05 [INFO] Ann died",
        "[18:30:05] [INFO] Ann died",
        "[18:30:05] [INFO]: Ann died",
        "> [18:30:05 INFO]: Ann died",
        ">\r[18:30:05 INFO]: Ann died",
        "2024-05-01T16:30:05.123456789Z [18:30:05] [Server thread/INFO]: Ann died",
        "mc-server-1  | [18:30:05] [Server thread/INFO]: Ann died",
        "mc-1  | 2024-05-01T16:30:05.123456789Z [18:30:05 INFO]: Ann died",
        "May 01 18:30:06 host java[1234]: [18:30:05] [Server thread/INFO]: Ann died",
        "May  1 18:30:06 host start.sh[1234]: [18:30:05 INFO]: Ann died",
        "2024-05-01T18:30:06+0200 host java[1234]: [18:30:05] [Server thread/INFO]: Ann died",
        "\ufeff\x1b[0;36m[18:30:05 INFO]: \x1b[33mAnn\x1b[m \xa7cdied\x1b[m\n",
    ],
)
def test_lines_of_every_server_are_read_without_their_colours(raw: str) -> None:
    line = read_line(raw)
    assert line is not None
    assert line.text == "Ann died"
    assert line.clock.replace(microsecond=0).isoformat() == "18:30:05"


@pytest.mark.parametrize(
    "raw",
    [
        "\tat java.lang.Thread.run(Thread.java:833)",
        "[18:30:05] [Server thread/WARN]: Ann died",
        "[99:30:05] [Server thread/INFO]: Ann died",
        "[31Feb2024 18:30:05.123] [Server thread/INFO] [x/]: Ann died",
        "[0001-01-01 18:30:05] [Server thread/INFO]: Ann died",
        "[11/01/2026 18:30:05] [Server thread/INFO]: Ann died",
        "somebody | something [18:30:05 INFO]: Ann died",
        "Ann died",
        "",
    ],
)
def test_what_is_no_line_of_its_own_is_passed_over(raw: str) -> None:
    assert read_line(raw) is None


def test_an_offline_id_is_the_one_that_java_makes() -> None:
    """The values are known from servers: `UUID.nameUUIDFromBytes("OfflinePlayer:Notch")`."""
    assert offline_id("Notch") == "b50ad385-829d-3141-a216-7e7d7539ba7f"
