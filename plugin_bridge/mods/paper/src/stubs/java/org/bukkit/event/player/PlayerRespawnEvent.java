package org.bukkit.event.player;

import org.bukkit.entity.Player;

public class PlayerRespawnEvent extends PlayerEvent {
    /** Not as on a server; for the tests. */
    public PlayerRespawnEvent(Player player) {
        super(player);
    }
}
