package adr.combat;

import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * Who set off a crystal, an anchor or a bed: the server says only that something exploded.
 *
 * <p>Few and short-lived: a blast follows its cause within the same tick.
 */
public final class Blasts {
    private static final class Entry {
        private Blow blow;
        private String place;
        private double x;
        private double y;
        private double z;
        private long at;
    }

    private static final long LIFE = 1_000_000_000L;
    private static final double REACH = 12;

    private final ArrayDeque<Entry> entries = new ArrayDeque<>();

    /**
     * Something that will explode was set off. {@code place} is the name of the world of a block,
     * or the id of an entity, whose coordinates do not matter.
     */
    public synchronized void add(Blow blow, String place, double x, double y, double z, long now) {
        expire(now);
        Entry entry = new Entry();
        entry.blow = blow;
        entry.place = place;
        entry.x = x;
        entry.y = y;
        entry.z = z;
        entry.at = now;
        entries.add(entry);
    }

    /** What was set off last at a place or within reach of it; null if nothing is known. */
    public synchronized Blow find(String place, double x, double y, double z, long now) {
        expire(now);
        for (Iterator<Entry> it = entries.descendingIterator(); it.hasNext();) {
            Entry entry = it.next();
            double dx = entry.x - x;
            double dy = entry.y - y;
            double dz = entry.z - z;
            if (place.equals(entry.place) && dx * dx + dy * dy + dz * dz <= REACH * REACH) {
                return entry.blow;
            }
        }
        return null;
    }

    private void expire(long now) {
        while (!entries.isEmpty() && now - entries.peek().at > LIFE) {
            entries.poll();
        }
    }
}
