package adr.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The spool")
class SpoolTest {
    private static final long MIB = 1024 * 1024;

    @TempDir
    Path folder;
    private final Lines log = new Lines();

    private Spool open(long max) throws IOException {
        return Spool.open(folder, max, log);
    }

    private static List<Long> numbers(Spool spool) throws IOException {
        return spool.read(1, Integer.MAX_VALUE, Integer.MAX_VALUE).stream().map(line -> line.seq)
                .toList();
    }

    private static String event(long n) {
        return "{\"type\":\"kill\",\"n\":" + n + ",\"name\":\"M\u00fcller \ud83e\udd8a\"}";
    }

    private Path file() {
        return folder.resolve("spool.log");
    }

    @Test
    @DisplayName("keeps events over a restart, with their numbers and its name")
    void keeps() throws IOException {
        String id;
        try (Spool spool = open(MIB)) {
            id = spool.id();
            assertEquals(1, spool.append(event(1)));
            assertEquals(2, spool.append(event(2)));
        }
        try (Spool spool = open(MIB)) {
            assertEquals(id, spool.id());
            assertEquals(3, spool.next());
            assertEquals(1, spool.first());
            assertEquals(event(2), spool.read(2, 5, 100).get(0).json);
        }
    }

    @Test
    @DisplayName("torn at any byte loses at most the event that was being written")
    void torn() throws IOException {
        long[] ends = new long[6];
        try (Spool spool = open(MIB)) {
            ends[0] = Files.size(file());
            for (int n = 1; n <= 5; n++) {
                spool.append(event(n));
                ends[n] = Files.size(file());
            }
        }
        byte[] whole = Files.readAllBytes(file());
        for (int cut = (int) ends[0]; cut <= whole.length; cut++) {
            Files.write(file(), Arrays.copyOf(whole, cut));
            int expected = 0;
            for (int n = 1; n <= 5; n++) {
                expected += cut >= ends[n] - 1 ? 1 : 0;
            }
            try (Spool spool = open(MIB)) {
                assertEquals(expected, numbers(spool).size(), "cut at " + cut);
                assertEquals(expected + 1, spool.append(event(9)), "cut at " + cut);
            }
            try (Spool spool = open(MIB)) {
                assertEquals(expected + 1, numbers(spool).size(), "cut at " + cut);
            }
        }
    }

    @Test
    @DisplayName("with its head torn is kept aside and begun anew under another name")
    void tornHead() throws IOException {
        String id;
        try (Spool spool = open(MIB)) {
            id = spool.id();
            spool.append(event(1));
        }
        Files.write(file(), Arrays.copyOf(Files.readAllBytes(file()), 10));
        try (Spool spool = open(MIB)) {
            assertNotEquals(id, spool.id());
            assertEquals(1, spool.next());
        }
        try (var files = Files.list(folder)) {
            assertTrue(files.anyMatch(f -> f.getFileName().toString().startsWith("spool.unread")));
        }
    }

    @Test
    @DisplayName("skips a damaged line and never gives its number again")
    void damaged() throws IOException {
        try (Spool spool = open(MIB)) {
            for (int n = 1; n <= 3; n++) {
                spool.append(event(n));
            }
        }
        byte[] bytes = Files.readAllBytes(file());
        bytes[bytes.length - 5] ^= 1;
        Files.write(file(), bytes);
        try (Spool spool = open(MIB)) {
            assertEquals(List.of(1L, 2L), numbers(spool));
            assertEquals(4, spool.append(event(4)));
        }
        try (Spool spool = open(MIB)) {
            assertEquals(List.of(1L, 2L, 4L), numbers(spool));
        }
    }

    @Test
    @DisplayName("forgets what is stored, and stays small")
    void compacts() throws IOException {
        try (Spool spool = open(64 * MIB)) {
            for (int round = 0; round < 50; round++) {
                for (int n = 0; n < 1000; n++) {
                    spool.append(event(n));
                }
                spool.acked(spool.next() - 11);
                assertEquals(spool.next() - 10, spool.first());
            }
            assertTrue(spool.size() < 600 * 1024, "size " + spool.size());
            spool.acked(spool.next() - 1);
            assertEquals(spool.next(), spool.first());
        }
        assertTrue(Files.size(file()) < 100);
        try (Spool spool = open(MIB)) {
            assertEquals(50_001, spool.next());
            assertEquals(50_001, spool.first());
        }
    }

    @Test
    @DisplayName("when full throws the oldest away, says so and keeps numbering")
    void full() throws IOException {
        try (Spool spool = open(100_000)) {
            for (int n = 1; n <= 3000; n++) {
                assertEquals(n, spool.append(event(n)));
                assertTrue(spool.size() <= 100_000);
            }
            assertTrue(spool.first() > 1000);
            List<Long> kept = numbers(spool);
            assertEquals(3000L - spool.first() + 1, kept.size());
            assertEquals(3000L, kept.get(kept.size() - 1));
        }
        assertTrue(log.has("is full"));
    }

    @Test
    @DisplayName("restored from an older copy keeps what is new under a new name")
    void renews() throws IOException {
        String id;
        try (Spool spool = open(MIB)) {
            id = spool.id();
            spool.append(event(1));
            spool.append(event(2));
        }
        try (Spool spool = open(MIB)) {
            spool.append(event(3));
            spool.append(event(4));
            spool.renew();
            assertNotEquals(id, spool.id());
            assertEquals(List.of(1L, 2L), numbers(spool));
            assertEquals(event(3), spool.read(1, 1, 1).get(0).json);
            assertEquals(3, spool.next());
        }
    }

    @Test
    @DisplayName("is not shared by two owners")
    void locked() throws IOException {
        try (Spool spool = open(MIB)) {
            assertThrows(IOException.class, () -> open(MIB));
            assertFalse(spool.id().isEmpty());
        }
        open(MIB).close();
    }

    @Test
    @DisplayName("reads from the middle of a long file")
    void middle() throws IOException {
        try (Spool spool = open(64 * MIB)) {
            for (int n = 1; n <= 5000; n++) {
                spool.append(event(n));
            }
            for (int from = 1; from <= 5000; from += 371) {
                List<SpoolLine> some = spool.read(from, 3, Integer.MAX_VALUE);
                assertEquals(from, some.get(0).seq);
                assertEquals(event(from), some.get(0).json);
            }
            assertTrue(spool.read(5001, 3, 100).isEmpty());
            assertTrue(spool.forced() < 5000);
            spool.force();
            assertEquals(5000, spool.forced());
        }
    }
}
