package org.bukkit;

public final class NamespacedKey {
    private final String key;

    public NamespacedKey(String key) {
        this.key = key;
    }

    public String getKey() {
        return key;
    }
}
