package adr.bridge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.logging.Logger;

/**
 * The last known label of everybody, the last known leaderboard and settings.
 *
 * <p>Read from any thread (placeholders, tab completion), so that nothing in the game ever waits
 * for the daemon; kept in a file as the daemon's own packets, so that an outage or a restart
 * shows the last known rank.
 */
public final class Labels implements Heard {
    private static final int MAX = 5_000;

    private final Path file;
    private final Logger log;
    private final LinkedHashMap<String, Label> labels = new LinkedHashMap<>(64, 0.75f, true);
    private List<Label> top = List.of();
    private Settings settings = new Settings(15, true, true, false);
    private boolean changed;

    Labels(Path file, Logger log) {
        this.file = file;
        this.log = log;
    }

    /** The last known label of a player; null if there is none or no player is meant. */
    public synchronized Label get(String player) {
        return player == null ? null : labels.get(key(player));
    }

    /** The last known leaderboard, best first; the players by their names. */
    public synchronized List<Label> top() {
        return top;
    }

    /** The last known settings, or the usual ones. */
    public synchronized Settings settings() {
        return settings;
    }

    @Override
    public synchronized void label(Label label) {
        changed = true;
        labels.put(key(label.player), label);
        if (labels.size() > MAX) {
            Iterator<Label> eldest = labels.values().iterator();
            eldest.next();
            eldest.remove();
        }
    }

    @Override
    public synchronized void top(List<Label> rows) {
        changed = true;
        top = List.copyOf(rows);
    }

    @Override
    public synchronized void settings(Settings news) {
        changed = true;
        settings = news;
    }

    /** Reads the file; a missing or damaged one means that nothing is known yet. */
    void load() {
        try {
            if (Files.exists(file)) {
                Incoming.read(Files.readString(file), this);
            }
        } catch (IOException | JsonException e) {
            log.warning("The file of last known ranks cannot be read and is begun anew.");
        }
    }

    /** Writes the file if something changed since. */
    void save() {
        try {
            String text = text();
            if (text != null) {
                Path fresh = file.resolveSibling(file.getFileName() + ".new");
                Files.writeString(fresh, text);
                Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            log.warning("The file of last known ranks cannot be written: " + Words.of(e));
        }
    }

    private String text() {
        List<Label> all;
        synchronized (this) {
            if (!changed) {
                return null;
            }
            changed = false;
            all = new ArrayList<>(labels.values());
        }
        List<Object> packets = new ArrayList<>();
        Settings last = settings();
        packets.add(map("type", "settings", "combat_window", last.combatWindow, "combat_log",
                last.combatLogKills ? "kill" : "ignore", "tab_list", last.tabList, "name_tag",
                last.nameTag));
        for (Label label : all) {
            packets.add(encode("player", label));
        }
        List<Object> rows = new ArrayList<>();
        for (Label row : top()) {
            rows.add(encode("name", row));
        }
        packets.add(map("type", "top", "rows", rows));
        return JsonWriter.write(packets);
    }

    private static Object encode(String who, Label label) {
        return map("type", "label", who, label.player, "prefix",
                label.prefix == null ? null : label.prefix.encode(), "tier", label.tier, "index",
                label.index, "rating", label.rating, "rank", label.rank);
    }

    private static Map<String, Object> map(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }

    private static String key(String player) {
        return player.toLowerCase(Locale.ROOT);
    }
}
