package adr.bridge;

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
        boolean own = command.words.size() == 1 && command.sender != null
                && command.words.get(0).equals("rank");
        Label label = own ? labels.get(command.sender.id) : null;
        if (label != null) {
            lines.add(last(command.sender, label));
        }
        return lines;
    }

    private static Text last(Who sender, Label label) {
        String rank = label.rank == null ? "" : ", #" + label.rank;
        return Text.join(Text.colored("Last known: ", "gray"),
                label.prefix == null ? Text.plain("") : label.prefix,
                Text.colored(sender.name + ", rating " + label.rating + rank, "white"));
    }
}
