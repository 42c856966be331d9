package adr.bridge;

/**
 * The game as the bridge sees it. Called on the bridge's thread: an implementation hands over to
 * the thread that the game wants and returns at once.
 */
public interface Platform {
    /** The label of a player looks different from before. */
    void redraw(String player);

    void settings(Settings settings);

    /**
     * A text for one player, or if {@code player} is null for everybody, or everybody with a
     * permission; {@code where} is {@code chat}, {@code action_bar} or {@code title}.
     */
    void text(String player, String permission, String where, Text text, Text subtitle);
}
