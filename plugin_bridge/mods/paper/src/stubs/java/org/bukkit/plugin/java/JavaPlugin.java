package org.bukkit.plugin.java;

import java.io.File;
import java.util.Map;
import java.util.logging.Logger;
import org.bukkit.Server;
import org.bukkit.command.PluginCommand;
import org.bukkit.configuration.file.FileConfiguration;
import org.bukkit.plugin.Plugin;
import org.bukkit.plugin.PluginDescriptionFile;

public abstract class JavaPlugin implements Plugin {
    private Server server;
    private File folder;
    private FileConfiguration config;
    private Map<String, PluginCommand> commands;
    private boolean enabled;

    /** Not as on a server; for the tests. */
    public final void attach(Server server, File folder, FileConfiguration config,
            Map<String, PluginCommand> commands) {
        this.server = server;
        this.folder = folder;
        this.config = config;
        this.commands = commands;
    }

    /** Not as on a server; for the tests. */
    public final void enabled(boolean enabled) {
        this.enabled = enabled;
        if (enabled) {
            onEnable();
        } else {
            onDisable();
        }
    }

    public void onEnable() {
    }

    public void onDisable() {
    }

    public final boolean isEnabled() {
        return enabled;
    }

    public final Server getServer() {
        return server;
    }

    public final File getDataFolder() {
        return folder;
    }

    public final PluginDescriptionFile getDescription() {
        return new PluginDescriptionFile();
    }

    public Logger getLogger() {
        return Logger.getLogger("AdrBridge");
    }

    public FileConfiguration getConfig() {
        return config;
    }

    public void saveDefaultConfig() {
    }

    public void reloadConfig() {
    }

    public PluginCommand getCommand(String name) {
        return commands.get(name);
    }
}
