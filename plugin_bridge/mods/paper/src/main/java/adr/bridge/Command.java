package adr.bridge;

import java.util.List;

/**
 * A command line as somebody typed it.
 *
 * @param sender null for the console
 * @param words the line split at spaces, the command itself first
 * @param permissions those of the sender that the daemon asks for
 */
public final class Command {
    private static final int MAX_WORDS = 32;

    public final Who sender;
    public final String world;
    public final List<String> words;
    public final List<String> permissions;

    public Command(Who sender, String world, List<String> words, List<String> permissions) {
        words = List.copyOf(words.size() > MAX_WORDS ? words.subList(0, MAX_WORDS) : words);
        permissions = List.copyOf(permissions);
        this.sender = sender;
        this.world = world;
        this.words = words;
        this.permissions = permissions;
    }
}
