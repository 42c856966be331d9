package adr.paper;

import adr.bridge.Platform;
import adr.bridge.Settings;
import adr.bridge.Text;
import adr.combat.Combat;
import java.util.UUID;
import org.bukkit.Server;
import org.bukkit.entity.Player;

/** What the daemon sends, on its way to the right thread. */
final class Game implements Platform {
    private final Server server;
    private final Schedule schedule;
    private final Chat chat;
    private final Combat combat;
    private Display display;

    Game(Server server, Schedule schedule, Chat chat, Combat combat) {
        this.server = server;
        this.schedule = schedule;
        this.chat = chat;
        this.combat = combat;
    }

    /** Set before the bridge is started. */
    void display(Display display) {
        this.display = display;
    }

    @Override
    public void redraw(String player) {
        UUID id = id(player);
        if (id != null) {
            schedule.player(id, display::draw);
        }
    }

    @Override
    public void settings(Settings settings) {
        combat.settings(settings.combatWindow, settings.combatLogKills);
        display.settings(settings);
    }

    @Override
    public void text(String player, String permission, String where, Text text, Text subtitle) {
        if (player == null) {
            everybody(permission, where, text, subtitle);
            return;
        }
        UUID id = id(player);
        if (id != null) {
            schedule.player(id, to -> show(to, where, text, subtitle));
        }
    }

    private void everybody(String permission, String where, Text text, Text subtitle) {
        schedule.everybody(to -> {
            if (permission == null || to.hasPermission(permission)) {
                show(to, where, text, subtitle);
            }
        });
        if (where.equals("chat")) {
            schedule.server(() -> chat.send(server.getConsoleSender(), text));
        }
    }

    private void show(Player player, String where, Text text, Text subtitle) {
        if (where.equals("action_bar")) {
            chat.actionBar(player, text);
        } else if (where.equals("title")) {
            chat.title(player, text, subtitle);
        } else {
            chat.send(player, text);
        }
    }

    private static UUID id(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
