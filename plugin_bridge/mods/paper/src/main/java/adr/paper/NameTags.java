package adr.paper;

import adr.bridge.Label;
import org.bukkit.Server;
import org.bukkit.entity.Player;
import org.bukkit.scoreboard.Scoreboard;
import org.bukkit.scoreboard.ScoreboardManager;
import org.bukkit.scoreboard.Team;

/**
 * Labels over heads, through teams of our own on the main scoreboard.
 *
 * <p>A player is in one team at most, so whoever is in another plugin's team is left there. Our
 * teams are known by their names, also those that a crash has left in the saved scoreboard.
 */
final class NameTags {
    private static final String OURS = "adrb_";

    private final Server server;
    private final Chat chat;

    NameTags(Server server, Chat chat) {
        this.server = server;
        this.chat = chat;
    }

    /** Shows a label, or none if it is null. */
    void show(Player player, Label label) {
        ScoreboardManager manager = server.getScoreboardManager();
        if (manager == null) {
            return;
        }
        Scoreboard board = manager.getMainScoreboard();
        Team now = board.getEntryTeam(player.getName());
        if (now != null && !now.getName().startsWith(OURS)) {
            return;
        }
        String wanted = label == null || label.prefix == null ? null : name(label);
        if (now != null && !now.getName().equals(wanted)) {
            now.removeEntry(player.getName());
            if (now.getEntries().isEmpty()) {
                now.unregister();
            }
            now = null;
        }
        if (now == null && wanted != null) {
            Team team = board.getTeam(wanted);
            if (team == null) {
                team = board.registerNewTeam(wanted);
                chat.prefix(team, label.prefix);
            }
            team.addEntry(player.getName());
        }
    }

    /**
     * One team for each look; the tier in front, because teams also sort the tab list. Sixteen
     * characters, the limit of team names on the older servers.
     */
    private static String name(Label label) {
        long tier = label.index == null ? 999 : Math.min(998, label.index);
        return String.format("%s%03d%08x", OURS, tier, label.prefix.json().hashCode());
    }

    void removeAll() {
        ScoreboardManager manager = server.getScoreboardManager();
        if (manager != null) {
            for (Team team : manager.getMainScoreboard().getTeams()) {
                if (team.getName().startsWith(OURS)) {
                    team.unregister();
                }
            }
        }
    }
}
