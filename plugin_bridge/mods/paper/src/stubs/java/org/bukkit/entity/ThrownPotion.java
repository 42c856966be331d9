package org.bukkit.entity;

public interface ThrownPotion extends Projectile {
}
