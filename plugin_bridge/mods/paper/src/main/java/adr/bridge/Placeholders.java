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
        boolean top = wanted.startsWith("top_");
        Label label;
        if (top) {
            String[] parts = wanted.split("_");
            if (parts.length != 3 || !parts[1].matches("[1-9][0-9]?")) {
                return null;
            }
            int place = Integer.parseInt(parts[1]);
            List<Label> rows = labels.top();
            label = place > rows.size() ? null : rows.get(place - 1);
            wanted = parts[2];
        } else {
            label = labels.get(player);
        }
        switch (wanted) {
            case "tier":
                return label == null ? "" : text(label.tier);
            case "label":
                return label == null ? "" : prefix(label.prefix);
            case "rating":
                return label == null ? "" : text(label.rating);
            case "name":
                return !top ? null : label == null ? "" : label.player;
            case "rank":
                return top ? null : label == null ? "" : text(label.rank);
            case "sort":
                return top ? null : sort(label);
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

    private static String prefix(Text prefix) {
        return prefix == null ? "" : LegacyText.of(prefix).stripTrailing();
    }

    private static String text(Object value) {
        return value == null ? "" : value.toString();
    }
}
