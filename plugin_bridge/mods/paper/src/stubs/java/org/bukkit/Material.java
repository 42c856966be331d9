package org.bukkit;

import java.util.Locale;

public enum Material implements Keyed {
    AIR, BOW, CROSSBOW, DIAMOND_SWORD, RED_BED, RESPAWN_ANCHOR;

    @Override
    public NamespacedKey getKey() {
        return new NamespacedKey(name().toLowerCase(Locale.ROOT));
    }
}
