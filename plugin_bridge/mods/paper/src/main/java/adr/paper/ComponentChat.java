package adr.paper;

import adr.bridge.Text;
import net.kyori.adventure.audience.Audience;
import net.kyori.adventure.text.Component;
import net.kyori.adventure.text.serializer.gson.GsonComponentSerializer;
import net.kyori.adventure.title.Title;
import org.bukkit.command.CommandSender;
import org.bukkit.entity.Player;
import org.bukkit.scoreboard.Team;

/** Servers that take text components. Loaded only there. */
final class ComponentChat implements Chat {
    @Override
    public void send(CommandSender to, Text text) {
        ((Audience) to).sendMessage(component(text));
    }

    @Override
    public void actionBar(Player to, Text text) {
        ((Audience) to).sendActionBar(component(text));
    }

    @Override
    public void title(Player to, Text title, Text subtitle) {
        ((Audience) to).showTitle(Title.title(component(title),
                subtitle == null ? Component.empty() : component(subtitle)));
    }

    @Override
    public void tabName(Player player, Text name) {
        player.playerListName(name == null ? null : component(name));
    }

    @Override
    public void prefix(Team team, Text prefix) {
        team.prefix(component(prefix));
    }

    private static Component component(Text text) {
        return GsonComponentSerializer.gson().deserialize(text.json());
    }
}
