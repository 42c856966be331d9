package adr.paper;

import java.util.UUID;
import java.util.function.Consumer;
import org.bukkit.entity.Player;
import org.bukkit.plugin.IllegalPluginAccessException;
import org.bukkit.plugin.java.JavaPlugin;

/**
 * The way from the bridge's thread to the thread that may touch a player or the server: the main
 * thread, or on Folia the one of the region that the player is in. Everything is dropped once
 * the plugin is disabled.
 */
final class Schedule {
    private final JavaPlugin plugin;
    private final boolean regions;

    Schedule(JavaPlugin plugin, boolean regions) {
        this.plugin = plugin;
        this.regions = regions;
    }

    /** On the player's thread, if it is online by then. */
    void player(UUID id, Consumer<Player> action) {
        server(() -> {
            Player player = plugin.getServer().getPlayer(id);
            if (player != null) {
                on(player, action);
            }
        });
    }

    /** For everybody online, each on its own thread. */
    void everybody(Consumer<Player> action) {
        server(() -> plugin.getServer().getOnlinePlayers().forEach(player -> on(player, action)));
    }

    private void on(Player player, Consumer<Player> action) {
        if (regions) {
            player.getScheduler().execute(plugin, () -> action.accept(player), null, 1);
        } else {
            action.accept(player);
        }
    }

    /** On the thread of the server itself. */
    void server(Runnable action) {
        try {
            if (!plugin.isEnabled()) {
                return;
            }
            if (regions) {
                plugin.getServer().getGlobalRegionScheduler().execute(plugin, action);
            } else {
                plugin.getServer().getScheduler().runTask(plugin, action);
            }
        } catch (IllegalPluginAccessException e) {
            // Disabled in the meantime: nobody is left to be shown anything.
        }
    }
}
