package org.bukkit.entity;

import io.papermc.paper.threadedregions.scheduler.EntityScheduler;
import java.util.UUID;
import org.bukkit.Location;
import org.bukkit.World;
import org.bukkit.command.CommandSender;
import org.bukkit.metadata.Metadatable;

public interface Entity extends Metadatable, CommandSender {
    UUID getUniqueId();

    EntityType getType();

    World getWorld();

    Location getLocation();

    EntityScheduler getScheduler();
}
