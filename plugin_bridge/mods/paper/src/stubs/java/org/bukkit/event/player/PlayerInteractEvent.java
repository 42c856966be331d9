package org.bukkit.event.player;

import org.bukkit.block.Block;
import org.bukkit.entity.Player;
import org.bukkit.event.Cancellable;
import org.bukkit.event.block.Action;

public class PlayerInteractEvent extends PlayerEvent implements Cancellable {
    private final Action action;
    private final Block block;

    /** Not as on a server; for the tests. */
    public PlayerInteractEvent(Player who, Action action, Block block) {
        super(who);
        this.action = action;
        this.block = block;
    }

    public Action getAction() {
        return action;
    }

    public Block getClickedBlock() {
        return block;
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
