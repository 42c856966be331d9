package adrbridge.bridge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Commands that wait for the daemon's answer: each gets exactly one answer, from the daemon or,
 * when none comes in time, from here.
 */
final class Pending {
    private record Asked(Command command, Consumer<List<Text>> answer) {
    }

    private final Map<String, Asked> asked = new HashMap<>();
    private final ScheduledExecutorService loop;
    private final Labels labels;
    private final long patience;
    private long count;

    Pending(ScheduledExecutorService loop, Labels labels, long patience) {
        this.loop = loop;
        this.labels = labels;
        this.patience = patience;
    }

    /** Remembers a command; returns the mark that its answer will carry. */
    String ask(Command command, Consumer<List<Text>> answer) {
        String id = "c" + ++count;
        asked.put(id, new Asked(command, answer));
        loop.schedule(() -> giveUp(id), patience, TimeUnit.MILLISECONDS);
        return id;
    }

    void answer(String id, List<Text> lines) {
        Asked one = asked.remove(id);
        if (one != null) {
            one.answer().accept(lines);
        }
    }

    private void giveUp(String id) {
        Asked one = asked.get(id);
        if (one != null) {
            answer(id, Offline.answer(one.command(), labels));
        }
    }

    /** The link is gone, and with it every answer. */
    void giveUpAll() {
        new ArrayList<>(asked.keySet()).forEach(this::giveUp);
    }
}
