package adr.bridge;

import java.util.function.DoubleSupplier;

/**
 * How long to wait before the next try: doubling from half a second to half a minute, or some
 * minutes where only a person can help. Spread at random, so that the servers of a network do
 * not all come back in the same instant.
 */
final class Backoff {
    private final Timings timings;
    private final DoubleSupplier random;
    private long pause;

    Backoff(Timings timings, DoubleSupplier random) {
        this.timings = timings;
        this.random = random;
    }

    /** Milliseconds until the next try after an ordinary loss. */
    long next() {
        pause = Math.min(timings.maxPause, Math.max(timings.firstPause, pause * 2));
        return spread(pause);
    }

    /** Milliseconds until the next try where trying soon is useless. */
    long slow() {
        return spread(timings.slowPause);
    }

    /** The link did its work: the next pause is a short one again. */
    void reset() {
        pause = 0;
    }

    private long spread(long millis) {
        return Math.max(1, Math.round(millis * (0.75 + random.getAsDouble() / 2)));
    }
}
