package io.papermc.paper.threadedregions.scheduler;

import org.bukkit.plugin.Plugin;

public interface EntityScheduler {
    boolean execute(Plugin plugin, Runnable run, Runnable retired, long delay);
}
