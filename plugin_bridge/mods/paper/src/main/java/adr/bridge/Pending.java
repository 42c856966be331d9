package adr.bridge;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Commands that wait for the daemon's answer: each gets exactly one answer, from the daemon or,
 * when none comes in time, from here.
 */
final class Pending {
    private final Map<String, Map.Entry<Command, Consumer<List<Text>>>> asked = new HashMap<>();
    private final Loop loop;
    private final Labels labels;
    private final long patience;
    private long count;

    Pending(Loop loop, Labels labels, long patience) {
        this.loop = loop;
        this.labels = labels;
        this.patience = patience;
    }

    /** Remembers a command; returns the mark that its answer will carry. */
    String ask(Command command, Consumer<List<Text>> answer) {
        String id = "c" + ++count;
        asked.put(id, Map.entry(command, answer));
        loop.later(patience, () -> giveUp(id));
        return id;
    }

    void answer(String id, List<Text> lines) {
        Map.Entry<Command, Consumer<List<Text>>> one = asked.remove(id);
        if (one != null) {
            one.getValue().accept(lines);
        }
    }

    /** Answers in the place of the daemon. */
    void giveUp(String id) {
        if (asked.containsKey(id)) {
            answer(id, Offline.answer(asked.get(id).getKey(), labels));
        }
    }

    /** The link is gone, and with it every answer. */
    void giveUpAll() {
        List.copyOf(asked.keySet()).forEach(this::giveUp);
    }
}
