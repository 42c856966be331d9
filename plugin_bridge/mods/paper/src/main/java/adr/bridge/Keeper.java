package adr.bridge;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.logging.Logger;

/**
 * Brings events to the spool: events that come together share one forced write, and a full disk
 * makes them wait in memory instead of losing them.
 */
final class Keeper {
    private static final int MAX_WAITING = 10_000;
    private static final long RETRY_MILLIS = 5_000;

    private final Spool spool;
    private final Logger log;
    private final Loop loop;
    private final ArrayDeque<String> waiting = new ArrayDeque<>();
    private boolean forceQueued;
    private boolean failing;
    private boolean warned;
    private boolean closed;
    private Runnable forced = () -> { };

    Keeper(Spool spool, Logger log, Loop loop) {
        this.spool = spool;
        this.log = log;
        this.loop = loop;
    }

    Spool spool() {
        return spool;
    }

    void keep(String event) {
        waiting.add(event);
        if (waiting.size() > MAX_WAITING) {
            waiting.poll();
        }
        if (!failing) {
            drain();
        }
    }

    private void retry() {
        failing = false;
        if (!closed) {
            drain();
        }
    }

    private void drain() {
        try {
            while (!waiting.isEmpty()) {
                spool.append(waiting.peek());
                waiting.poll();
            }
            warned = false;
            if (!forceQueued && !closed) {
                forceQueued = true;
                loop.execute(this::forceQueued);
            }
        } catch (IOException e) {
            fail(e);
        }
    }

    private void forceQueued() {
        forceQueued = false;
        try {
            if (!closed) {
                spool.force();
            }
        } catch (IOException e) {
            fail(e);
        }
        forced.run();
    }

    /** What to do when events are safe and may be sent. */
    void afterForce(Runnable action) {
        forced = action;
    }

    /** The daemon has everything up to a number. */
    void acked(long seq) {
        try {
            spool.acked(seq);
        } catch (IOException e) {
            fail(e);
        }
    }

    /** Begins a new numbering if the daemon knows a number that was never given out. */
    boolean renewed(long stored) {
        if (spool.gave(stored)) {
            return false;
        }
        log.warning("The spool is an older copy or has lost its end; a new one is begun.");
        try {
            spool.renew();
        } catch (IOException e) {
            fail(e);
        }
        return true;
    }

    private void fail(IOException e) {
        if (!failing && !closed) {
            loop.later(RETRY_MILLIS, this::retry);
        }
        if (!failing && !warned) {
            log.warning("The spool cannot be written (" + Words.of(e)
                    + "): is the disk full? New kills wait in memory.");
        }
        failing = true;
        warned = true;
    }

    void close() {
        if (closed) {
            return;
        }
        drain();
        closed = true;
        try {
            spool.close();
        } catch (IOException e) {
            log.warning("The spool cannot be closed: " + Words.of(e));
        }
    }
}
