package org.bukkit.inventory;

public interface PlayerInventory {
    ItemStack getItemInMainHand();
}
