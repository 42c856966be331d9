package adr.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The outbox")
class OutboxTest {
    @TempDir
    Path folder;
    private Spool spool;
    private Outbox outbox;

    @BeforeEach
    void open() throws IOException {
        spool = Spool.open(folder, 1 << 24, new Lines());
        outbox = new Outbox(spool);
    }

    @AfterEach
    void close() throws IOException {
        spool.close();
    }

    private void events(int count) throws IOException {
        for (int n = 0; n < count; n++) {
            spool.append("{\"type\":\"kill\"}");
        }
        spool.force();
    }

    private static List<Long> numbers(String frame) {
        List<Long> all = new ArrayList<>();
        Object value = frame == null ? List.of() : JsonReader.read(frame);
        for (Object packet : value instanceof List<?> list ? list : List.of(value)) {
            all.add((Long) ((Map<?, ?>) packet).get("seq"));
        }
        return all;
    }

    @Test
    @DisplayName("never has more on its way than the window allows")
    void window() throws IOException {
        events(1000);
        outbox.begin(1, 0, 50);
        assertEquals(50, numbers(outbox.next()).size());
        assertNull(outbox.next());
        assertTrue(outbox.acked(20));
        assertEquals(20, numbers(outbox.next()).size());
        assertEquals(50, outbox.sentUnacked());
        assertFalse(outbox.acked(20));
        assertNull(outbox.next());
    }

    @Test
    @DisplayName("sends exactly what the welcome says is missing, in order and in full")
    void missing() throws IOException {
        events(1000);
        outbox.begin(1, 300, 100);
        List<Long> all = new ArrayList<>();
        for (String frame = outbox.next(); frame != null; frame = outbox.next()) {
            all.addAll(numbers(frame));
            outbox.acked(all.get(all.size() - 1));
        }
        assertEquals(700, all.size());
        assertEquals(301L, all.get(0));
        assertEquals(1000L, all.get(699));
    }

    @Test
    @DisplayName("holds an event back until it is safe on disk")
    void unforced() throws IOException {
        outbox.begin(1, 0, 10);
        spool.append("{\"type\":\"kill\"}");
        assertNull(outbox.next());
        spool.force();
        assertEquals("{\"seq\":1,\"type\":\"kill\"}", outbox.next());
    }

    @Test
    @DisplayName("puts news first and counts it against the packets of a frame")
    void news() throws IOException {
        events(500);
        outbox.begin(1, 0, 1000);
        outbox.news("{\"type\":\"quit\"}");
        String frame = outbox.next();
        assertTrue(frame.startsWith("[{\"type\":\"quit\"},{\"seq\":1,"));
        assertEquals(Outbox.MAX_PACKETS, numbers(frame).size());
        outbox.news("{\"type\":\"quit\"}");
        outbox.end();
        outbox.begin(1, 499, 1000);
        assertEquals(List.of(500L), numbers(outbox.next()));
    }

    @Test
    @DisplayName("at a hole waits for the acks and then asks for a new hello")
    void hole() throws IOException {
        events(6);
        spool.close();
        Path file = folder.resolve("spool.log");
        String text = Files.readString(file);
        Files.writeString(file, text.replaceFirst("(?m)^(.{8}) 4 ", "00000000 4 "));
        open();
        outbox.begin(spool.first(), 0, 10);
        assertEquals(List.of(1L, 2L, 3L), numbers(outbox.next()));
        assertNull(outbox.next());
        assertFalse(outbox.needsNewHello());
        spool.acked(3);
        outbox.acked(3);
        assertNull(outbox.next());
        assertTrue(outbox.needsNewHello());
        assertEquals(5, spool.first());
        outbox.begin(spool.first(), 3, 10);
        assertEquals(List.of(5L, 6L), numbers(outbox.next()));
        assertNotNull(outbox);
    }
}
