package org.bukkit.event.entity;

import org.bukkit.entity.LivingEntity;

public class EntityDeathEvent extends EntityEvent {
    /** Not as on a server; for the tests. */
    public EntityDeathEvent(LivingEntity entity) {
        super(entity);
    }

    @Override
    public LivingEntity getEntity() {
        return (LivingEntity) entity;
    }
}
