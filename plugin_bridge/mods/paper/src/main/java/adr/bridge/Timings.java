package adr.bridge;

/**
 * Every span of time that the link knows, in milliseconds.
 *
 * @param heartbeat between our pings
 * @param silence without any frame, ping or pong: the connection is dead
 * @param connect for the handshake, and again from {@code hello} to {@code welcome}
 * @param reply for the answer to a command
 */
public final class Timings {
    public final long firstPause;
    public final long maxPause;
    public final long slowPause;
    public final long heartbeat;
    public final long silence;
    public final long connect;
    public final long reply;

    public Timings(long firstPause, long maxPause, long slowPause, long heartbeat, long silence,
            long connect, long reply) {
        this.firstPause = firstPause;
        this.maxPause = maxPause;
        this.slowPause = slowPause;
        this.heartbeat = heartbeat;
        this.silence = silence;
        this.connect = connect;
        this.reply = reply;
    }

    /** The ones of the contract. */
    public static Timings usual() {
        return new Timings(500, 30_000, 180_000, 20_000, 60_000, 10_000, 5_000);
    }
}
