package org.bukkit.event.entity;

import org.bukkit.damage.DamageSource;
import org.bukkit.entity.Entity;
import org.bukkit.event.Cancellable;

public class EntityDamageEvent extends EntityEvent implements Cancellable {
    private final DamageCause cause;
    private final double damage;
    private boolean cancelled;

    public EntityDamageEvent(Entity damagee, DamageCause cause, double damage) {
        super(damagee);
        this.cause = cause;
        this.damage = damage;
    }

    public DamageCause getCause() {
        return cause;
    }

    public double getDamage() {
        return damage;
    }

    public double getDamage(DamageModifier type) {
        return 0;
    }

    public boolean isApplicable(DamageModifier type) {
        return false;
    }

    public final double getFinalDamage() {
        return damage;
    }

    public DamageSource getDamageSource() {
        return () -> null;
    }

    @Override
    public boolean isCancelled() {
        return cancelled;
    }

    @Override
    public void setCancelled(boolean cancel) {
        cancelled = cancel;
    }

    /** Only the one that is used. */
    public enum DamageModifier {
        BASE, ABSORPTION
    }

    /** Some of them; the plugin knows them by name only. */
    public enum DamageCause {
        KILL, ENTITY_ATTACK, PROJECTILE, SUFFOCATION, FALL, FIRE, FIRE_TICK, LAVA, DROWNING,
        BLOCK_EXPLOSION, ENTITY_EXPLOSION, VOID, LIGHTNING, SUICIDE, MAGIC, CUSTOM
    }
}
