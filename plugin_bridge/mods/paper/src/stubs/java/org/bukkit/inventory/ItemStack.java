package org.bukkit.inventory;

import org.bukkit.Material;

public class ItemStack {
    private final Material type;

    public ItemStack(Material type) {
        this.type = type;
    }

    public Material getType() {
        return type;
    }
}
