package adrbridge.bridge;

import java.util.List;

/**
 * A command line as somebody typed it.
 *
 * @param sender null for the console
 * @param words the line split at spaces, the command itself first
 * @param permissions those of the sender that the daemon asks for
 */
public record Command(Who sender, String world, List<String> words, List<String> permissions) {
    private static final int MAX_WORDS = 32;

    public Command {
        words = List.copyOf(words.size() > MAX_WORDS ? words.subList(0, MAX_WORDS) : words);
        permissions = List.copyOf(permissions);
    }
}
