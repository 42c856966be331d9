package org.bukkit.block;

import org.bukkit.Material;
import org.bukkit.World;

public interface Block {
    Material getType();

    World getWorld();

    int getX();

    int getY();

    int getZ();
}
