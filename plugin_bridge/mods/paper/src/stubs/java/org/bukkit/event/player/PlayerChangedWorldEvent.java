package org.bukkit.event.player;

import org.bukkit.entity.Player;

public class PlayerChangedWorldEvent extends PlayerEvent {
    /** Not as on a server; for the tests. */
    public PlayerChangedWorldEvent(Player player) {
        super(player);
    }
}
