package adr.bridge;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the first look at a spool file found; repairs its end.
 *
 * <p>A line without its line feed is one whose writing was cut off: it was never sent, so it is
 * cut away and its number used again (or completed, if only the line feed is missing). A line
 * that has its line feed but a wrong checksum was damaged later and may have been sent: it is
 * skipped and its number is never used again.
 *
 * @param first the number that the file begins with
 * @param next the number that the next event gets
 */
final class SpoolScan {
    private static final Pattern HEAD = Pattern.compile("ADR1 ([A-Za-z0-9_-]{8,64}) ([0-9]{1,18})");

    final String id;
    final long first;
    final long next;
    final long size;

    SpoolScan(String id, long first, long next, long size) {
        this.id = id;
        this.first = first;
        this.next = next;
        this.size = size;
    }

    static String head(String id, long first) {
        return "ADR1 " + id + ' ' + first + '\n';
    }

    /** Scans a file and tells every number and its place; null if it has no valid head. */
    static SpoolScan of(FileChannel file, Logger log, BiConsumer<Long, Long> found)
            throws IOException {
        SpoolReader lines = new SpoolReader(file, 0, file.size());
        Matcher head = HEAD.matcher(lines.next() && lines.whole() ? lines.text() : "");
        if (!head.matches()) {
            return null;
        }
        long first = Long.parseLong(head.group(2));
        long last = first - 1;
        long end = lines.after();
        long damaged = 0;
        long damagedAtEnd = 0;
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
        return new SpoolScan(head.group(1), first, last + 1 + damagedAtEnd, end);
    }
}
