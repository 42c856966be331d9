package adrbridge.bridge;

/**
 * Every span of time that the link knows, in milliseconds.
 *
 * @param heartbeat between our pings
 * @param silence without any frame, ping or pong: the connection is dead
 * @param connect for the handshake, and again from {@code hello} to {@code welcome}
 * @param reply for the answer to a command
 */
public record Timings(long firstPause, long maxPause, long slowPause, long heartbeat,
        long silence, long connect, long reply) {
    /** The ones of the contract. */
    public static Timings usual() {
        return new Timings(500, 30_000, 180_000, 20_000, 60_000, 10_000, 5_000);
    }
}
