package adrbridge.bridge;

import java.util.ArrayList;
import java.util.List;

/** What a player is told while the daemon is away: a polite word, and the last known rank. */
final class Offline {
    private Offline() {
    }

    static List<Text> answer(Command command, Labels labels) {
        List<Text> lines = new ArrayList<>();
        lines.add(Text.colored("Ranks cannot be looked up right now. Kills still count and are"
                + " added as soon as the rating service is back.", "gray"));
        boolean own = command.words().size() == 1 && command.sender() != null
                && command.words().get(0).equals("rank");
        Incoming.Label label = own ? labels.get(command.sender().id()) : null;
        if (label != null) {
            lines.add(last(command.sender(), label));
        }
        return lines;
    }

    private static Text last(Who sender, Incoming.Label label) {
        List<Text> parts = new ArrayList<>();
        parts.add(Text.colored("Last known: ", "gray"));
        if (label.prefix() != null) {
            parts.add(label.prefix());
        }
        String rank = label.rank() == null ? "" : ", #" + label.rank();
        parts.add(Text.colored(sender.name() + ", rating " + label.rating() + rank, "white"));
        return Text.join(parts);
    }
}
