package me.clip.placeholderapi.expansion;

import me.clip.placeholderapi.PlaceholderHook;

public abstract class PlaceholderExpansion extends PlaceholderHook {
    public abstract String getIdentifier();

    public abstract String getAuthor();

    public abstract String getVersion();

    public boolean persist() {
        return false;
    }

    public boolean register() {
        return true;
    }

    public final boolean unregister() {
        return true;
    }
}
