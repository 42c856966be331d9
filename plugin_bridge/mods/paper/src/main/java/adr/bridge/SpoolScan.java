package adr.bridge;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;
import java.util.logging.Logger;

/**
 * What the first look at a spool file found; repairs its end.
 *
 * <p>A line without its line feed is one whose writing was cut off: it was never sent, so it is
 * cut away and its number used again (or completed, if only the line feed is missing). A line
 * that has its line feed but a wrong checksum was damaged later and may have been sent: it is
 * skipped and its number is never used again.
 *
 * @param next the number that the next event gets
 */
final class SpoolScan {
    final SpoolLine head;
    final long next;
    /** Whether the head has to be written anew. */
    final boolean newHead;

    SpoolScan(SpoolLine head, long next, boolean newHead) {
        this.head = head;
        this.next = next;
        this.newHead = newHead;
    }

    /**
     * Scans a file and tells every number and its place; null if it has no valid head and none was
     * noted elsewhere.
     */
    static SpoolScan of(FileChannel file, SpoolLine noted, Logger log,
            BiConsumer<Long, Long> found) throws IOException {
        SpoolReader lines = new SpoolReader(file, 0, file.size());
        SpoolLine head = lines.next() && lines.whole() ? lines.event() : null;
        boolean newHead = head == null || head.id() == null;
        boolean lost = false;
        if (newHead) {
            head = lines.whole() ? firstVersion(lines.text()) : null;
            lost = head == null;
        }
        if (lost) {
            lines = new SpoolReader(file, 0, file.size());
            head = noted;
        }
        if (head == null) {
            return null;
        }
        long last = head.seq - 1;
        long end = lines.after();
        long damaged = 0;
        long damagedAtEnd = lost ? -1 : 0;
        while (lines.next()) {
            SpoolLine event = lines.event();
            if (event != null && event.seq > last) {
                last = event.seq;
                damagedAtEnd = 0;
                found.accept(last, lines.start());
            } else if (lines.whole()) {
                damaged++;
                damagedAtEnd++;
            } else {
                break;
            }
            end = lines.after();
            if (!lines.whole()) {
                file.write(ByteBuffer.wrap("\n".getBytes(StandardCharsets.US_ASCII)), end++);
                break;
            }
        }
        if (file.size() > end) {
            log.warning("The last line of the spool was cut off by a crash; it is removed.");
            file.truncate(end);
        }
        if (damaged > 0) {
            log.warning(damaged + " damaged line(s) in the spool are skipped; check the disk.");
        }
        return new SpoolScan(head, last + 1 + Math.max(0, damagedAtEnd), newHead);
    }

    /** {@code ADR1 <spool id> <first>}, without a checksum. */
    private static SpoolLine firstVersion(String line) {
        String[] words = line.split(" ");
        return line.matches("ADR1 [\\w-]{8,64} \\d{1,18}")
                ? SpoolLine.head(words[1], Long.parseLong(words[2])) : null;
    }
}
