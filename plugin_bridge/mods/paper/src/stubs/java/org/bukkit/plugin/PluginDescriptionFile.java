package org.bukkit.plugin;

public final class PluginDescriptionFile {
    public String getVersion() {
        return "test";
    }
}
