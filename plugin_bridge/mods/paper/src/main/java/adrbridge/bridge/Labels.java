package adrbridge.bridge;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The last known label of everybody and the last known leaderboard.
 *
 * <p>Read from any thread (placeholders, tab completion), so that nothing in the game ever waits
 * for the daemon; kept in a file, so that an outage or a restart shows the last known rank.
 */
public final class Labels {
    private static final int MAX = 5_000;

    private final Path file;
    private final Log log;
    private final LinkedHashMap<String, Incoming.Label> labels =
            new LinkedHashMap<>(64, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Incoming.Label> eldest) {
                    return size() > MAX;
                }
            };
    private List<Incoming.Top.Row> top = List.of();
    private boolean changed;

    Labels(Path file, Log log) {
        this.file = file;
        this.log = log;
    }

    /** The last known label of a player; null if there is none or no player is meant. */
    public synchronized Incoming.Label get(String player) {
        return player == null ? null : labels.get(key(player));
    }

    /** The last known leaderboard, best first. */
    public synchronized List<Incoming.Top.Row> top() {
        return top;
    }

    /** Keeps a label; returns the one before it, or null. */
    synchronized Incoming.Label put(Incoming.Label label) {
        changed = true;
        return labels.put(key(label.player()), label);
    }

    synchronized void put(Incoming.Top news) {
        changed |= !news.rows().equals(top);
        top = news.rows();
    }

    /** Reads the file; a missing or damaged one means that nothing is known yet. */
    void load() {
        try {
            if (Files.exists(file)) {
                for (Incoming packet : Incoming.frame(Files.readString(file))) {
                    if (packet instanceof Incoming.Label label) {
                        put(label);
                    } else if (packet instanceof Incoming.Top news) {
                        put(news);
                    }
                }
            }
        } catch (IOException | JsonException e) {
            log.warn("The file of last known ranks cannot be read and is begun anew.");
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
            log.warn("The file of last known ranks cannot be written: " + e.getMessage());
        }
    }

    private synchronized String text() {
        if (!changed) {
            return null;
        }
        changed = false;
        List<Object> packets = new ArrayList<>();
        labels.values().forEach(label -> packets.add(encode(label)));
        List<Object> rows = new ArrayList<>();
        for (Incoming.Top.Row row : top) {
            rows.add(map("name", row.name(), "rating", row.rating(), "tier", row.tier(), "prefix",
                    encode(row.prefix())));
        }
        packets.add(map("type", "top", "rows", rows));
        return JsonWriter.write(packets);
    }

    private static Map<String, Object> encode(Incoming.Label label) {
        return map("type", "label", "player", label.player(), "prefix", encode(label.prefix()),
                "tier", label.tier(), "index", label.index(), "rating", label.rating(), "rank",
                label.rank());
    }

    private static Object encode(Text text) {
        return text == null ? null : text.encode();
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
