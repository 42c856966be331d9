package adr.bridge;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Logger;

/**
 * The events that the daemon may not have stored yet, in a file that is only appended to.
 *
 * <p>An event is handed to the operating system in {@link #append} (it survives the death of the
 * process from there on) and forced to the disk in {@link #force}, before it is ever sent: were
 * it sent earlier, a power cut could make the mod give its number to another event, which the
 * daemon would take for an old one. Not safe for several threads; its owner is the bridge thread.
 */
final class Spool implements AutoCloseable {
    private static final int INDEX_STEP = 64;
    private static final long SMALL = 256 * 1024;
    private static final long WORTH_IT = 64;

    private final SpoolFile file;
    private final long max;
    private final Logger log;
    private final TreeMap<Long, Long> index = new TreeMap<>();
    private FileChannel channel;
    private String id;
    private long size;
    private long next;
    private long acked;
    private long forced;
    private long records;
    private long loaded;
    private boolean greeted;

    private Spool(SpoolFile file, long max, Logger log) {
        this.file = file;
        this.max = max;
        this.log = log;
    }

    /**
     * Opens the spool in a folder or makes a new one; repairs what a crash left behind.
     *
     * @param max most bytes that the file may have; the oldest events go when it is full
     * @throws IOException if the folder cannot be used or another process uses it
     */
    static Spool open(Path folder, long max, Logger log) throws IOException {
        SpoolFile file = SpoolFile.open(folder, log);
        try {
            Spool spool = new Spool(file, max, log);
            spool.load();
            spool.loaded = spool.next - 1;
            return spool;
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** The random name of this numbering. */
    String id() {
        return id;
    }

    /** The number that the next event gets. */
    long next() {
        return next;
    }

    /** The highest number that is safe on disk. */
    long forced() {
        return forced;
    }

    /** The lowest number that can still be delivered; {@link #next} if there is none. */
    long first() throws IOException {
        List<SpoolLine> head = read(acked + 1, 1, Integer.MAX_VALUE);
        return head.isEmpty() ? next : head.get(0).seq;
    }

    /**
     * Whether the daemon can have that number from this file. Before the first greeting what came
     * since the start cannot have been sent, so more than the file held then was lost from it.
     */
    boolean gave(long stored) {
        greeted |= stored <= loaded;
        return stored < (greeted ? next : loaded + 1);
    }

    /** Keeps an event and gives it its number. */
    long append(String event) throws IOException {
        byte[] line = new SpoolLine(next, event).encode();
        if (size + line.length > max) {
            makeRoom();
        }
        try {
            write(line);
        } catch (IOException e) {
            channel.truncate(size);
            throw e;
        }
        note(next, size);
        size += line.length;
        return next++;
    }

    private void write(byte[] line) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(line);
        while (buffer.hasRemaining()) {
            channel.write(buffer, size + buffer.position());
        }
    }

    /** Forces to the disk what was appended. */
    void force() throws IOException {
        if (forced < next - 1) {
            channel.force(false);
            forced = next - 1;
        }
    }

    /** Up to {@code count} kept events from a number on, of at most about {@code bytes} bytes. */
    List<SpoolLine> read(long from, int count, int bytes) throws IOException {
        List<SpoolLine> events = new ArrayList<>();
        SpoolReader reader = reader(from);
        int total = 0;
        while (events.size() < count && total < bytes && reader.next()) {
            SpoolLine event = reader.event();
            if (event != null && event.seq >= from) {
                events.add(event);
                total += event.json.length();
            }
        }
        return events;
    }

    /** Reads from a place on that is not behind the event with a number. */
    private SpoolReader reader(long from) {
        Map.Entry<Long, Long> near = index.floorEntry(from);
        if (near == null) {
            near = index.firstEntry();
        }
        return new SpoolReader(channel, near == null || from >= next ? size : near.getValue(),
                size);
    }

    /** Everything up to this number is stored by the daemon and need not be kept. */
    void acked(long seq) throws IOException {
        acked = Math.max(acked, Math.min(seq, next - 1));
        Map.Entry<Long, Long> near = index.floorEntry(acked + 1);
        long done = acked == next - 1 ? size : near == null ? 0 : near.getValue();
        if (done > SMALL && done > size / 2) {
            rewrite(acked + 1);
        }
    }

    private void makeRoom() throws IOException {
        long goal = size - max / 4 * 3;
        long keep = next;
        for (Map.Entry<Long, Long> place : index.entrySet()) {
            if (place.getValue() >= goal) {
                keep = place.getKey();
                break;
            }
        }
        long unsent = Math.max(0, keep - 1 - acked);
        if (unsent > 0) {
            log.warning("The spool is full (" + max / 1024 / 1024 + " MiB): the " + unsent
                    + " oldest kept kills are lost, because the daemon has not been there to take them.");
        }
        acked = Math.max(acked, keep - 1);
        rewrite(keep);
    }

    /** Makes the file anew with the events from a number on. */
    private void rewrite(long from) throws IOException {
        force();
        long start = placeOf(from);
        try (FileChannel out = file.begin(id, start == size ? next : from)) {
            while (start < size) {
                start += channel.transferTo(start, size - start, out);
            }
            channel = file.replace(channel, out);
        }
        load();
    }

    /** Where the events from a number on begin; the end of the file if there are none. */
    private long placeOf(long from) throws IOException {
        SpoolReader reader = reader(from);
        while (reader.next()) {
            SpoolLine event = reader.event();
            if (event != null && event.seq >= from) {
                return reader.start();
            }
        }
        return size;
    }

    /**
     * Begins a new numbering, because the daemon knows numbers that this file never gave out: it
     * is an older copy or has lost its end. What was in the file at the start is part of what the daemon has; what
     * was added since is not, and is kept under new numbers from 1 on.
     */
    void renew() throws IOException {
        List<SpoolLine> kept = read(loaded + 1, Integer.MAX_VALUE, Integer.MAX_VALUE);
        try (FileChannel out = file.begin(SpoolFile.newId(), 1)) {
            long seq = 1;
            for (SpoolLine event : kept) {
                SpoolFile.write(out, new SpoolLine(seq++, event.json).encode());
            }
            channel = file.replace(channel, out);
        }
        acked = 0;
        loaded = 0;
        load();
    }

    private void load() throws IOException {
        if (channel == null) {
            channel = file.channel();
        }
        index.clear();
        records = 0;
        SpoolLine noted = channel.size() > 0 ? file.noted() : null;
        SpoolScan scan = SpoolScan.of(channel, noted, log, this::note);
        if (scan == null) {
            channel.close();
            file.setAside();
            channel = file.replace(channel, file.begin(SpoolFile.newId(), 1));
            scan = SpoolScan.of(channel, null, log, this::note);
        }
        id = scan.head.id();
        size = channel.size();
        next = scan.next;
        acked = Math.max(acked, scan.head.seq - 1);
        channel.force(true);
        forced = next - 1;
        file.note(scan.head);
        if (scan.newHead) {
            rewrite(acked + 1);
        }
    }

    private void note(long seq, long place) {
        if (records++ % INDEX_STEP == 0) {
            index.put(seq, place);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            force();
            if (acked == next - 1 && size > WORTH_IT) {
                rewrite(next);
            }
        } finally {
            channel.close();
            file.close();
        }
    }

    long size() {
        return size;
    }

    static FileChannel openChannel(Path path) throws IOException {
        return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE,
                StandardOpenOption.CREATE);
    }
}
