package org.bukkit.entity;

import org.bukkit.projectiles.ProjectileSource;

public interface LivingEntity extends Damageable, ProjectileSource {
}
