package org.bukkit.scoreboard;

import java.util.Set;
import net.kyori.adventure.text.Component;

public interface Team {
    String getName();

    Set<String> getEntries();

    void addEntry(String entry);

    boolean removeEntry(String entry);

    void setPrefix(String prefix);

    void prefix(Component prefix);

    void unregister();
}
