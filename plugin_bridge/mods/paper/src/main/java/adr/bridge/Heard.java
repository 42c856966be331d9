package adr.bridge;

import java.util.List;

/**
 * What the daemon can say, one method for each packet of the contract. What somebody does not
 * care about it need not implement.
 */
interface Heard {
    default void welcome(String daemonVersion, String server, long seq, int window) {
    }

    default void settings(Settings settings) {
    }

    /** Everything up to {@code seq} is stored for good. */
    default void ack(long seq) {
    }

    default void label(Label label) {
    }

    /**
     * A text for one player, or if {@code player} is null for everybody; {@code permission} and
     * {@code subtitle} may be null.
     */
    default void text(String player, String permission, String where, Text text, Text subtitle) {
    }

    default void reply(String id, List<Text> lines) {
    }

    /** The head of the leaderboard, best first; the players by their names. */
    default void top(List<Label> rows) {
    }

    /** The daemon's {@code error}; {@code seq} and {@code id} may be null. */
    default void complaint(String code, String text, Long seq, String id) {
    }

    /** A packet that this mod does not understand, because the daemon is newer, say. */
    default void unknown(String why) {
    }
}
