package org.bukkit.entity;

public interface FallingBlock extends Entity {
}
