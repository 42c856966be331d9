package org.bukkit;

public interface Keyed {
    NamespacedKey getKey();
}
