package org.bukkit.entity;

public interface LightningStrike extends Entity {
    Player getCausingPlayer();
}
