package org.bukkit.scoreboard;

import java.util.Set;

public interface Scoreboard {
    Team getEntryTeam(String entry);

    Team getTeam(String name);

    Set<Team> getTeams();

    Team registerNewTeam(String name);
}
