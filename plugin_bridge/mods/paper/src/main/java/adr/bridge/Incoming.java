package adr.bridge;

import java.util.ArrayList;
import java.util.List;

/** Reads what the daemon sends and tells it on. */
final class Incoming {
    private static final long MAX_WINDOW = 1 << 20;

    private Incoming() {
    }

    /**
     * Tells the packets of one frame in order; one that breaks the contract is
     * {@link Heard#unknown}, and does not hide the others.
     *
     * @throws JsonException if the frame as a whole is not JSON
     */
    static void read(String frame, Heard to) {
        Object value = JsonReader.read(frame);
        if (value instanceof List<?> items) {
            for (Object item : items) {
                packet(item, to);
            }
        } else {
            packet(value, to);
        }
    }

    private static void packet(Object value, Heard to) {
        try {
            decode(Fields.of(value), to);
        } catch (JsonException e) {
            to.unknown(e.getMessage());
        }
    }

    private static void decode(Fields in, Heard to) {
        String type = in.string("type");
        switch (type) {
            case "welcome":
                to.welcome(in.string("daemon_version"), in.string("server"), in.integer("seq"),
                        (int) Math.max(1, Math.min(MAX_WINDOW, in.integer("window"))));
                break;
            case "settings":
                to.settings(new Settings(in.number("combat_window"),
                        in.string("combat_log").equals("kill"), in.bool("tab_list"),
                        in.bool("name_tag")));
                break;
            case "ack":
                to.ack(in.integer("seq"));
                break;
            case "label":
                to.label(new Label(in.string("player"), in.textOrNull("prefix"),
                        in.stringOrNull("tier"), in.integerOrNull("index"), in.integer("rating"),
                        in.integerOrNull("rank")));
                break;
            case "message":
                to.text(in.string("player"), null, in.string("where"), in.text("text"),
                        in.textOrNull("subtitle"));
                break;
            case "broadcast":
                to.text(null, in.stringOrNull("permission"), in.string("where"), in.text("text"),
                        in.textOrNull("subtitle"));
                break;
            case "reply":
                to.reply(in.string("id"), in.texts("lines"));
                break;
            case "top":
                to.top(rows(in));
                break;
            case "error":
                to.complaint(in.string("code"), in.string("text"), in.integerOrNull("seq"),
                        in.stringOrNull("id"));
                break;
            default:
                to.unknown("no packet is called '" + type + "'");
        }
    }

    private static List<Label> rows(Fields in) {
        List<Label> rows = new ArrayList<>();
        for (Fields row : in.objects("rows")) {
            rows.add(new Label(row.string("name"), row.textOrNull("prefix"),
                    row.stringOrNull("tier"), null, row.integer("rating"), rows.size() + 1L));
        }
        return rows;
    }
}
