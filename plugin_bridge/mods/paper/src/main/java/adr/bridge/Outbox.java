package adr.bridge;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Decides what goes into the next frame: news of the moment first, then events out of the spool
 * as long as the daemon's window has room.
 *
 * <p>The window keeps the link alive: the pong to the daemon's ping waits behind everything that
 * was sent before it. Owned by the bridge thread.
 */
final class Outbox {
    static final int MAX_PACKETS = 200;
    static final int MAX_BYTES = 256 * 1024;

    private final Spool spool;
    private final ArrayDeque<String> news = new ArrayDeque<>();
    private long sent;
    private long acked;
    private int window;
    private boolean atHole;

    Outbox(Spool spool) {
        this.spool = spool;
    }

    /**
     * A connection begins: the daemon has stored everything up to {@code stored}, and was told in
     * {@code hello} that {@code first} is the lowest number it can still get.
     */
    void begin(long first, long stored, int window) {
        this.window = window;
        this.sent = Math.max(stored, first - 1);
        this.acked = sent;
        this.atHole = false;
    }

    /** The connection is gone, and with it what was only true at the moment. */
    void end() {
        news.clear();
    }

    /** Something that is true now and need not be kept. */
    void news(String packet) {
        news.add(packet);
    }

    /** The next frame; null if there is nothing to send now. */
    String next() throws IOException {
        List<String> packets = new ArrayList<>();
        int bytes = 0;
        while (!news.isEmpty() && packets.size() < MAX_PACKETS && bytes < MAX_BYTES) {
            packets.add(news.poll());
            bytes += packets.get(packets.size() - 1).length();
        }
        int room = (int) Math.min(window - (sent - acked), MAX_PACKETS - packets.size());
        if (room > 0 && bytes < MAX_BYTES && sent < spool.forced()) {
            events(packets, room, MAX_BYTES - bytes);
        }
        if (packets.isEmpty()) {
            return null;
        }
        return packets.size() == 1 ? packets.get(0) : '[' + String.join(",", packets) + ']';
    }

    private void events(List<String> packets, int room, int bytes) throws IOException {
        for (SpoolLine event : spool.read(sent + 1, room, bytes)) {
            if (event.seq != sent + 1) {
                atHole = true;
                return;
            }
            if (event.seq > spool.forced()) {
                return;
            }
            packets.add(Events.numbered(event.seq, event.json));
            sent = event.seq;
        }
    }

    /** The daemon has stored everything up to a number; tells whether that is news. */
    boolean acked(long seq) {
        boolean more = seq > acked;
        acked = Math.max(acked, Math.min(seq, sent));
        return more;
    }

    /**
     * Events are missing in the spool before the next one, and all before them are stored: only
     * a new {@code hello} can tell the daemon so.
     */
    boolean needsNewHello() {
        return atHole && sent == acked;
    }

    long sentUnacked() {
        return sent - acked;
    }
}
