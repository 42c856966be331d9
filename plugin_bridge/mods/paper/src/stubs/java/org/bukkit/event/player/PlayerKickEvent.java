package org.bukkit.event.player;

import org.bukkit.entity.Player;
import org.bukkit.event.Cancellable;

public class PlayerKickEvent extends PlayerEvent implements Cancellable {
    /** Not as on a server; for the tests. */
    public PlayerKickEvent(Player player) {
        super(player);
    }

    @Override
    public boolean isCancelled() {
        return false;
    }

    @Override
    public void setCancelled(boolean cancel) {
        throw new UnsupportedOperationException();
    }
}
