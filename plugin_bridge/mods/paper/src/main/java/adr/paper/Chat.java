package adr.paper;

import adr.bridge.Text;
import org.bukkit.command.CommandSender;
import org.bukkit.entity.Player;
import org.bukkit.scoreboard.Team;

/** How this server takes text. Every method on the thread of whom it concerns. */
interface Chat {
    void send(CommandSender to, Text text);

    void actionBar(Player to, Text text);

    /** {@code subtitle} may be null. */
    void title(Player to, Text title, Text subtitle);

    /** The name in the tab list; null for the bare name. */
    void tabName(Player player, Text name);

    void prefix(Team team, Text prefix);
}
