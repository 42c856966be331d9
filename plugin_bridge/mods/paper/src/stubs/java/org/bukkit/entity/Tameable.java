package org.bukkit.entity;

public interface Tameable extends LivingEntity {
    AnimalTamer getOwner();
}
