package org.bukkit.projectiles;

public interface ProjectileSource {
}
