package adrbridge.bridge;

/**
 * The game as the bridge sees it. Called on the bridge's thread: an implementation hands over to
 * the thread that the game wants and returns at once.
 */
public interface Platform {
    /** A label came; {@code redraw} unless it looks the same as the one before. */
    void label(Incoming.Label label, boolean redraw);

    void settings(Incoming.Settings settings);

    void message(Incoming.Message message);

    void broadcast(Incoming.Broadcast broadcast);
}
