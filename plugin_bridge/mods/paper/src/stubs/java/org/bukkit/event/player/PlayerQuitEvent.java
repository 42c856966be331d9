package org.bukkit.event.player;

import org.bukkit.entity.Player;

public class PlayerQuitEvent extends PlayerEvent {
    /** Not as on a server; for the tests. */
    public PlayerQuitEvent(Player player) {
        super(player);
    }
}
