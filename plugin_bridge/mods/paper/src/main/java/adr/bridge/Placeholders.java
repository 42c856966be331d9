package adr.bridge;

import java.util.List;
import java.util.Locale;

/** The values of placeholders: from what is known, never null, never waiting. */
public final class Placeholders {
    private static final long LAST = 999;
    private static final long LAST_RANK = 999_999;

    private Placeholders() {
    }

    /**
     * The value of one placeholder.
     *
     * @param player an id, or null where none is meant, as for {@code top_…}
     * @param name what stands behind {@code adr_}
     * @return null for a name that does not exist, so that it is shown as it was typed
     */
    public static String value(Labels labels, String player, String name) {
        String wanted = name.toLowerCase(Locale.ROOT);
        if (wanted.startsWith("top_")) {
            return top(labels.top(), wanted.split("_"));
        }
        Label label = labels.get(player);
        switch (wanted) {
            case "tier":
                return label == null ? "" : text(label.tier);
            case "label":
                return label == null ? "" : prefix(label.prefix);
            case "rating":
                return label == null ? "" : String.valueOf(label.rating);
            case "rank":
                return label == null ? "" : text(label.rank);
            case "sort":
                return sort(label);
            default:
                return null;
        }
    }

    /** Sorts by tier, best first, and within it by rank; whoever has none comes last. */
    private static String sort(Label label) {
        long tier = label == null || label.index == null ? LAST : label.index;
        long rank = label == null || label.rank == null ? LAST_RANK : label.rank;
        return String.format("%03d%06d", Math.min(tier, LAST), Math.min(rank, LAST_RANK));
    }

    private static String top(List<Label> rows, String[] parts) {
        if (parts.length != 3 || !parts[1].matches("[1-9][0-9]?")) {
            return null;
        }
        int place = Integer.parseInt(parts[1]);
        Label row = place > rows.size() ? null : rows.get(place - 1);
        switch (parts[2]) {
            case "name":
                return row == null ? "" : row.player;
            case "rating":
                return row == null ? "" : String.valueOf(row.rating);
            case "tier":
                return row == null ? "" : text(row.tier);
            case "label":
                return row == null ? "" : prefix(row.prefix);
            default:
                return null;
        }
    }

    private static String prefix(Text prefix) {
        return prefix == null ? "" : LegacyText.of(prefix).stripTrailing();
    }

    private static String text(Object value) {
        return value == null ? "" : value.toString();
    }
}
