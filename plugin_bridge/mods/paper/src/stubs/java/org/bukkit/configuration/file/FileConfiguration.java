package org.bukkit.configuration.file;

import java.util.List;

public abstract class FileConfiguration {
    public abstract String getString(String path, String def);

    public abstract long getLong(String path, long def);

    public abstract boolean getBoolean(String path, boolean def);

    public abstract List<String> getStringList(String path);
}
