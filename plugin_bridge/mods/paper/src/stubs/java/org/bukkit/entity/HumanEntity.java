package org.bukkit.entity;

import org.bukkit.GameMode;
import org.bukkit.inventory.PlayerInventory;

public interface HumanEntity extends LivingEntity, AnimalTamer {
    GameMode getGameMode();

    PlayerInventory getInventory();
}
