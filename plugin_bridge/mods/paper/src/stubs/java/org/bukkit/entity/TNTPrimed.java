package org.bukkit.entity;

public interface TNTPrimed extends Entity {
    Entity getSource();
}
