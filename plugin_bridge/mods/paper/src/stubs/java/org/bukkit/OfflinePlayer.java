package org.bukkit;

import java.util.UUID;
import org.bukkit.entity.AnimalTamer;

public interface OfflinePlayer extends AnimalTamer {
    String getName();

    UUID getUniqueId();
}
