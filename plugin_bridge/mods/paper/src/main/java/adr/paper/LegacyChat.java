package adr.paper;

import adr.bridge.LegacyText;
import adr.bridge.Text;
import net.md_5.bungee.api.ChatMessageType;
import net.md_5.bungee.api.chat.TextComponent;
import org.bukkit.command.CommandSender;
import org.bukkit.entity.Player;
import org.bukkit.scoreboard.Team;

/** Servers that take strings with colour codes. */
final class LegacyChat implements Chat {
    private static final int FADE_IN = 10;
    private static final int STAY = 70;
    private static final int FADE_OUT = 20;
    /** What the server lets a prefix have. */
    private static final int PREFIX = 64;

    @Override
    public void send(CommandSender to, Text text) {
        to.sendMessage(to instanceof Player ? LegacyText.of(text) : text.words());
    }

    @Override
    public void actionBar(Player to, Text text) {
        to.spigot().sendMessage(ChatMessageType.ACTION_BAR, new TextComponent(LegacyText.of(text)));
    }

    @Override
    public void title(Player to, Text title, Text subtitle) {
        to.sendTitle(LegacyText.of(title), subtitle == null ? "" : LegacyText.of(subtitle),
                FADE_IN, STAY, FADE_OUT);
    }

    @Override
    public void tabName(Player player, Text name) {
        player.setPlayerListName(name == null ? null : LegacyText.of(name));
    }

    @Override
    public void prefix(Team team, Text prefix) {
        team.setPrefix(LegacyText.fit(LegacyText.of(prefix), PREFIX));
    }
}
