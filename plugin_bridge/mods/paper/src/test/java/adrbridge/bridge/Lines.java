package adrbridge.bridge;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A log that remembers. */
public final class Lines implements Log {
    public final List<String> all = new CopyOnWriteArrayList<>();

    @Override
    public void info(String line) {
        all.add("info " + line);
    }

    @Override
    public void warn(String line) {
        all.add("warn " + line);
    }

    @Override
    public void bug(String line, Throwable fault) {
        all.add("bug " + line + " " + fault);
    }

    public boolean has(String words) {
        return all.stream().anyMatch(line -> line.contains(words));
    }
}
