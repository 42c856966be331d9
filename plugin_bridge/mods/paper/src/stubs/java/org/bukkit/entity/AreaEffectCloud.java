package org.bukkit.entity;

import org.bukkit.projectiles.ProjectileSource;

public interface AreaEffectCloud extends Entity {
    ProjectileSource getSource();
}
