package adr.paper;

import adr.bridge.Label;
import adr.bridge.Labels;
import adr.bridge.Settings;
import adr.bridge.Text;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.bukkit.Server;
import org.bukkit.entity.Player;

/**
 * Puts labels in front of names. A name that another plugin has put into the tab list is left
 * alone. Every method on the thread of the player it is about.
 */
final class Display {
    private final Labels labels;
    private final Chat chat;
    private final Options options;
    private final NameTags tags;
    private final Schedule schedule;
    private final Map<UUID, String> ours = new ConcurrentHashMap<>();
    private volatile boolean tabList = true;
    private volatile boolean nameTag;

    /** {@code tags} is null where the server has no teams for plugins. */
    Display(Labels labels, Chat chat, Options options, NameTags tags, Schedule schedule) {
        this.labels = labels;
        this.chat = chat;
        this.options = options;
        this.tags = tags;
        this.schedule = schedule;
    }

    /** What the daemon wants shown; our own configuration can only take away. From any thread. */
    void settings(Settings settings) {
        boolean tab = settings.tabList && options.tabList;
        boolean tag = settings.nameTag && options.nameTag && tags != null;
        if (tab != tabList || tag != nameTag) {
            tabList = tab;
            nameTag = tag;
            schedule.everybody(this::draw);
        }
    }

    void draw(Player player) {
        Label label = labels.get(player.getUniqueId().toString());
        Text prefix = label == null ? null : label.prefix;
        tab(player, tabList ? prefix : null);
        if (tags != null) {
            tags.show(player, nameTag ? label : null);
        }
    }

    private void tab(Player player, Text prefix) {
        String shown = player.getPlayerListName();
        String mine = ours.get(player.getUniqueId());
        boolean free = shown == null || shown.equals(player.getName()) || shown.equals(mine);
        if (!free || prefix == null && mine == null) {
            return;
        }
        if (prefix == null) {
            chat.tabName(player, null);
            ours.remove(player.getUniqueId());
        } else {
            chat.tabName(player, Text.join(prefix, Text.plain(player.getName())));
            ours.put(player.getUniqueId(), player.getPlayerListName());
        }
    }

    void forget(Player player) {
        ours.remove(player.getUniqueId());
        if (tags != null) {
            tags.show(player, null);
        }
    }

    /** Takes everything away again when the plugin is disabled. */
    void remove(Server server) {
        for (Player player : server.getOnlinePlayers()) {
            tab(player, null);
        }
        if (tags != null) {
            tags.removeAll();
        }
    }
}
