package org.bukkit.entity;

import java.util.Locale;
import org.bukkit.Keyed;
import org.bukkit.NamespacedKey;

public enum EntityType implements Keyed {
    PLAYER, ARROW, TRIDENT;

    @Override
    public NamespacedKey getKey() {
        return new NamespacedKey(name().toLowerCase(Locale.ROOT));
    }
}
