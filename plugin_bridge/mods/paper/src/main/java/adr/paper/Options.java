package adr.paper;

import adr.bridge.Setup;
import adr.bridge.Timings;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.bukkit.configuration.file.FileConfiguration;
import org.bukkit.plugin.java.JavaPlugin;

/** What config.yml says. */
final class Options {
    private static final long MIB = 1024 * 1024;

    final String url;
    final String token;
    final String caFile;
    final long spoolMib;
    final boolean tabList;
    final boolean nameTag;
    final Set<String> worlds;
    final Set<String> ignoredWorlds;

    Options(String url, String token, String caFile, long spoolMib, boolean tabList,
            boolean nameTag, Set<String> worlds, Set<String> ignoredWorlds) {
        this.url = url;
        this.token = token;
        this.caFile = caFile;
        this.spoolMib = spoolMib;
        this.tabList = tabList;
        this.nameTag = nameTag;
        this.worlds = worlds;
        this.ignoredWorlds = ignoredWorlds;
    }

    static Options read(JavaPlugin plugin) {
        FileConfiguration config = plugin.getConfig();
        return new Options(config.getString("url", ""), config.getString("token", ""),
                config.getString("ca_file", ""),
                Math.max(1, Math.min(4096, config.getLong("spool_mib", 64))),
                config.getBoolean("tab_list", true), config.getBoolean("name_tag", false),
                names(config.getStringList("worlds")),
                names(config.getStringList("ignored_worlds")));
    }

    private static Set<String> names(List<String> names) {
        Set<String> set = new HashSet<>();
        names.forEach(name -> set.add(name.toLowerCase(Locale.ROOT)));
        return set;
    }

    /** Whether kills in a world are reported. */
    boolean rated(String world) {
        String name = world.toLowerCase(Locale.ROOT);
        return (worlds.isEmpty() || worlds.contains(name)) && !ignoredWorlds.contains(name);
    }

    Setup setup(JavaPlugin plugin) {
        Path folder = plugin.getDataFolder().toPath();
        Path ca = caFile.isBlank() ? null : folder.resolve(caFile.trim());
        return new Setup(URI.create(url.trim()), token.trim(), folder, ca, spoolMib * MIB,
                "paper", plugin.getServer().getBukkitVersion(),
                plugin.getDescription().getVersion(), Timings.usual());
    }
}
