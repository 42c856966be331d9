package adrbridge.bridge;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Brings events to the spool: events that come together share one forced write, and a full disk
 * makes them wait in memory instead of losing them.
 */
final class Keeper {
    private static final int MAX_WAITING = 10_000;
    private static final long RETRY_SECONDS = 5;

    private final Spool spool;
    private final Log log;
    private final ScheduledExecutorService loop;
    private final Runnable forced;
    private final ArrayDeque<String> waiting = new ArrayDeque<>();
    private boolean forceQueued;
    private boolean failing;
    private boolean closed;

    Keeper(Spool spool, Log log, ScheduledExecutorService loop, Runnable forced) {
        this.spool = spool;
        this.log = log;
        this.loop = loop;
        this.forced = forced;
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

    private void drain() {
        try {
            while (!waiting.isEmpty()) {
                spool.append(waiting.peek());
                waiting.poll();
            }
            failing = false;
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
                force();
            }
        } catch (IOException e) {
            fail(e);
        }
        forced.run();
    }

    void force() throws IOException {
        spool.force();
    }

    private void fail(IOException e) {
        if (!failing) {
            log.warn("The spool cannot be written (" + Faults.words(e)
                    + "): is the disk full? New kills wait in memory.");
        }
        failing = true;
        if (!closed) {
            loop.schedule(this::drain, RETRY_SECONDS, TimeUnit.SECONDS);
        }
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
            log.warn("The spool cannot be closed: " + Faults.words(e));
        }
    }
}
