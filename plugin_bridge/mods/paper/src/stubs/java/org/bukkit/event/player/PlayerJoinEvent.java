package org.bukkit.event.player;

import org.bukkit.entity.Player;

public class PlayerJoinEvent extends PlayerEvent {
    /** Not as on a server; for the tests. */
    public PlayerJoinEvent(Player player) {
        super(player);
    }
}
