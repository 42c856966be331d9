package me.clip.placeholderapi;

import org.bukkit.OfflinePlayer;

public abstract class PlaceholderHook {
    public String onRequest(OfflinePlayer player, String params) {
        return null;
    }
}
