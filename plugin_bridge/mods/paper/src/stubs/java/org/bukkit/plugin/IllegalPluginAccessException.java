package org.bukkit.plugin;

public class IllegalPluginAccessException extends RuntimeException {
}
