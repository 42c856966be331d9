"""Happenings as the packets that a mod would send."""

from plugin_bridge.importing.happenings import Being, Happening
from plugin_bridge.protocol.packets import Death, Kill, Player


def packet_of(happening: Happening, seq: int) -> Kill | Death:
    victim = player_of(happening.victim)
    if happening.killer is None:
        return Death(seq, happening.time, victim, happening.cause, happening.world)
    return Kill(
        seq,
        happening.time,
        player_of(happening.killer),
        victim,
        happening.cause,
        happening.weapon,
        happening.world,
    )


def player_of(being: Being) -> Player:
    return Player(being.id, being.name)
