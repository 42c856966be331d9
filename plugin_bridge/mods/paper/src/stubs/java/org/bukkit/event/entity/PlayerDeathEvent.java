package org.bukkit.event.entity;

import org.bukkit.entity.Player;

public class PlayerDeathEvent extends EntityDeathEvent {
    /** Not as on a server; for the tests. */
    public PlayerDeathEvent(Player player) {
        super(player);
    }

    @Override
    public Player getEntity() {
        return (Player) entity;
    }
}
