package org.bukkit.event;

public abstract class Event {
}
