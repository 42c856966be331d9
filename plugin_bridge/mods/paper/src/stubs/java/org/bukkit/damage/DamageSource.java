package org.bukkit.damage;

import org.bukkit.entity.Entity;

public interface DamageSource {
    Entity getCausingEntity();
}
