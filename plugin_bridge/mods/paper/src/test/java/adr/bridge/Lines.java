package adr.bridge;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** A log that remembers. */
public final class Lines extends Logger {
    public final List<String> all = new CopyOnWriteArrayList<>();

    public Lines() {
        super("test", null);
    }

    @Override
    public void log(LogRecord line) {
        all.add(line.getLevel() + " " + line.getMessage()
                + (line.getThrown() == null ? "" : " " + line.getThrown()));
    }

    public boolean has(String words) {
        return all.stream().anyMatch(line -> line.contains(words));
    }
}
