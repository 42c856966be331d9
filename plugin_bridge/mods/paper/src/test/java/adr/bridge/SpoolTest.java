package adr.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
    @DisplayName("keeps its name, its events and their numbers whatever byte of its head is damaged")
    void damagedHead() throws IOException {
        String id = three();
        byte[] whole = Files.readAllBytes(file());
        int head = new String(whole, StandardCharsets.US_ASCII).indexOf('\n');
        for (int place = 0; place <= head; place++) {
            byte[] bytes = whole.clone();
            bytes[place] ^= 1;
            Files.write(file(), bytes);
            // Without its line feed the head takes the first event with it.
            List<Long> left = place == head ? List.of(2L, 3L) : List.of(1L, 2L, 3L);
            for (int start = 0; start < 2; start++) {
                try (Spool spool = open(MIB)) {
                    assertEquals(id, spool.id(), "byte " + place);
                    assertEquals(left, numbers(spool), "byte " + place);
                    assertEquals(4, spool.next());
                }
            }
        }
        Files.write(file(), Arrays.copyOfRange(whole, head + 1, whole.length));
        try (Spool spool = open(MIB)) {
            assertEquals(id, spool.id());
            assertEquals(List.of(1L, 2L, 3L), numbers(spool));
        }
        Files.write(file(), Arrays.copyOf(whole, 10));
        try (Spool spool = open(MIB)) {
            assertEquals(id, spool.id());
            assertEquals(1, spool.next());
        }
        assertFalse(log.has("SEVERE"));
    }

    private String three() throws IOException {
        try (Spool spool = open(MIB)) {
            for (int n = 1; n <= 3; n++) {
                spool.append(event(n));
            }
            return spool.id();
        }
    }

    @Test
    @DisplayName("with its name lost everywhere is set aside, loudly, and begun anew under another")
    void lostName() throws IOException {
        String id = three();
        byte[] bytes = Files.readAllBytes(file());
        bytes[7] ^= 1;
        Files.write(file(), bytes);
        Files.write(folder.resolve("spool.lock"), new byte[40]);
        try (Spool spool = open(MIB)) {
            assertNotEquals(id, spool.id());
            assertEquals(List.of(), numbers(spool));
            assertEquals(1, spool.next());
        }
        try (var files = Files.list(folder)) {
            Path aside = files.filter(f -> f.toString().contains("unreadable")).findAny().get();
            assertTrue(log.has("SEVERE The spool is damaged"));
            assertTrue(log.has("It is kept as " + aside));
        }
    }

    @Test
    @DisplayName("of the first version, without a checksum in its head, is read and given one")
    void firstVersion() throws IOException {
        String id = three();
        String whole = Files.readString(file());
        Files.writeString(file(), "ADR1 " + id + " 1" + whole.substring(whole.indexOf('\n')));
        Files.delete(folder.resolve("spool.lock"));
        try (Spool spool = open(MIB)) {
            assertEquals(id, spool.id());
            assertEquals(List.of(1L, 2L, 3L), numbers(spool));
        }
        assertEquals(whole, Files.readString(file()));
    }

    @Test
    @DisplayName("knows what it can have given to the daemon")
    void gave() throws IOException {
        three();
        try (Spool spool = open(MIB)) {
            spool.append(event(4));
            assertFalse(spool.gave(4), "number 4 is new and was not sent: there was another");
            assertTrue(spool.gave(3));
            assertTrue(spool.gave(4), "by now it was");
            assertFalse(spool.gave(5));
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
