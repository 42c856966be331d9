package adrbridge.bridge;

import java.util.ArrayList;
import java.util.List;

/** The packets that the daemon sends. */
public sealed interface Incoming {
    /** The daemon took our {@code hello}. */
    record Welcome(String daemonVersion, String server, long seq, int window) implements Incoming {
    }

    /** What the admin chose in the daemon. */
    record Settings(double combatWindow, boolean combatLogKills, boolean tabList, boolean nameTag)
            implements Incoming {
        /** Until the daemon was heard once. */
        public static Settings untilHeard() {
            return new Settings(15, true, true, false);
        }
    }

    record Ack(long seq) implements Incoming {
    }

    /** What to show in front of a name; everything but id and rating may be null. */
    record Label(String player, Text prefix, String tier, Long index, long rating, Long rank)
            implements Incoming {
    }

    /** Where a text appears. */
    enum Where {
        CHAT, ACTION_BAR, TITLE;

        static Where decode(String name) {
            for (Where where : values()) {
                if (where.name().toLowerCase(java.util.Locale.ROOT).equals(name)) {
                    return where;
                }
            }
            throw new JsonException("an unknown place for a text");
        }
    }

    /** Text for one player; {@code subtitle} may be null. */
    record Message(String player, Where where, Text text, Text subtitle) implements Incoming {
    }

    /** Text for everybody, or for those who have a permission. */
    record Broadcast(String permission, Where where, Text text, Text subtitle)
            implements Incoming {
    }

    record Reply(String id, List<Text> lines) implements Incoming {
    }

    /** The head of the leaderboard. */
    record Top(List<Row> rows) implements Incoming {
        /** One line of it; {@code tier} and {@code prefix} may be null. */
        public record Row(String name, long rating, String tier, Text prefix) {
        }
    }

    /** The daemon's {@code error}; {@code seq} and {@code id} may be null. */
    record Complaint(String code, String text, Long seq, String id) implements Incoming {
    }

    /** A packet that this mod does not understand, because the daemon is newer, say. */
    record Unknown(String why) implements Incoming {
    }

    /**
     * The packets in one frame; one that breaks the contract becomes {@link Unknown}.
     *
     * @throws JsonException if the frame as a whole is not JSON
     */
    static List<Incoming> frame(String text) {
        List<Incoming> packets = new ArrayList<>();
        Object value = JsonReader.read(text);
        for (Object item : value instanceof List<?> items ? items : java.util.Collections.singletonList(value)) {
            try {
                packets.add(packet(Fields.of(item)));
            } catch (JsonException e) {
                packets.add(new Unknown(e.getMessage()));
            }
        }
        return packets;
    }

    private static Incoming packet(Fields in) {
        String type = in.string("type");
        switch (type) {
            case "welcome":
                return new Welcome(in.string("daemon_version"), in.string("server"),
                        in.integer("seq"), (int) Math.max(1, Math.min(1 << 20, in.integer("window"))));
            case "settings":
                return new Settings(in.number("combat_window"),
                        in.string("combat_log").equals("kill"), in.bool("tab_list"),
                        in.bool("name_tag"));
            case "ack":
                return new Ack(in.integer("seq"));
            case "label":
                return new Label(in.string("player"), in.textOrNull("prefix"),
                        in.stringOrNull("tier"), in.integerOrNull("index"), in.integer("rating"),
                        in.integerOrNull("rank"));
            case "message":
                return new Message(in.string("player"), Where.decode(in.string("where")),
                        in.text("text"), in.textOrNull("subtitle"));
            case "broadcast":
                return new Broadcast(in.stringOrNull("permission"),
                        Where.decode(in.string("where")), in.text("text"),
                        in.textOrNull("subtitle"));
            case "reply":
                return new Reply(in.string("id"), in.texts("lines"));
            case "top":
                return top(in);
            case "error":
                return new Complaint(in.string("code"), in.string("text"),
                        in.integerOrNull("seq"), in.stringOrNull("id"));
            default:
                return new Unknown("no packet is called '" + type + "'");
        }
    }

    private static Top top(Fields in) {
        List<Top.Row> rows = new ArrayList<>();
        for (Fields row : in.objects("rows")) {
            rows.add(new Top.Row(row.string("name"), row.integer("rating"),
                    row.stringOrNull("tier"), row.textOrNull("prefix")));
        }
        return new Top(List.copyOf(rows));
    }
}
