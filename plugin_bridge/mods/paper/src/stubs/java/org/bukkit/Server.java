package org.bukkit;

import io.papermc.paper.threadedregions.scheduler.GlobalRegionScheduler;
import java.util.Collection;
import java.util.UUID;
import org.bukkit.command.ConsoleCommandSender;
import org.bukkit.entity.Entity;
import org.bukkit.entity.Player;
import org.bukkit.plugin.PluginManager;
import org.bukkit.scheduler.BukkitScheduler;
import org.bukkit.scoreboard.ScoreboardManager;

public interface Server {
    String getBukkitVersion();

    Collection<? extends Player> getOnlinePlayers();

    Player getPlayer(UUID id);

    PluginManager getPluginManager();

    BukkitScheduler getScheduler();

    ConsoleCommandSender getConsoleSender();

    ScoreboardManager getScoreboardManager();

    GlobalRegionScheduler getGlobalRegionScheduler();

    boolean isOwnedByCurrentRegion(Entity entity);
}
