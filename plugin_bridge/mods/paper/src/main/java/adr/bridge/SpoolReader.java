package adr.bridge;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/** Walks over the lines of a spool file from some place on, without holding more than one chunk. */
final class SpoolReader {
    private static final int CHUNK = 64 * 1024;
    /** Longer than any event can be; without a bound a file of zeros would be read whole. */
    private static final int MAX_LINE = 1024 * 1024;

    private final FileChannel file;
    private final long end;
    private byte[] bytes = new byte[CHUNK];
    private long base;
    private int from;
    private int length;
    private int lineFrom;
    private int lineTo;
    private boolean whole;

    SpoolReader(FileChannel file, long start, long end) {
        this.file = file;
        this.base = start;
        this.end = end;
    }

    /** Goes to the next line; false at the end of the file. */
    boolean next() throws IOException {
        int scanned = from;
        while (true) {
            for (int i = scanned; i < length; i++) {
                if (bytes[i] == '\n') {
                    return line(i, i + 1, true);
                }
            }
            scanned = length - from;
            if (!fill() || length - from > MAX_LINE) {
                return from < length && line(length, length, false);
            }
        }
    }

    private boolean line(int to, int next, boolean ended) {
        lineFrom = from;
        lineTo = to;
        from = next;
        whole = ended;
        return true;
    }

    private boolean fill() throws IOException {
        System.arraycopy(bytes, from, bytes, 0, length - from);
        base += from;
        length -= from;
        from = 0;
        if (length == bytes.length) {
            bytes = Arrays.copyOf(bytes, bytes.length * 2);
        }
        int room = (int) Math.min(bytes.length - length, end - base - length);
        if (room <= 0) {
            return false;
        }
        int got = file.read(ByteBuffer.wrap(bytes, length, room), base + length);
        length += Math.max(got, 0);
        return got > 0;
    }

    /** The event in the line; null if the line is damaged. */
    SpoolLine event() {
        return SpoolLine.decode(bytes, lineFrom, lineTo);
    }

    /** The line as text, for the head of the file. */
    String text() {
        return new String(bytes, lineFrom, lineTo - lineFrom,
                java.nio.charset.StandardCharsets.US_ASCII);
    }

    /** Whether the line ends in a line feed. */
    boolean whole() {
        return whole;
    }

    /** Where the line begins in the file. */
    long start() {
        return base + lineFrom;
    }

    /** Where the next line begins. */
    long after() {
        return base + from;
    }
}
