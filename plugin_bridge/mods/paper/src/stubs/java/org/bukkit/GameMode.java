package org.bukkit;

public enum GameMode {
    CREATIVE, SURVIVAL, ADVENTURE, SPECTATOR
}
