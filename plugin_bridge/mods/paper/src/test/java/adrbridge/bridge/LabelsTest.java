package adrbridge.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The last known labels")
class LabelsTest {
    @TempDir
    Path folder;
    private final Lines log = new Lines();

    private static Incoming.Label label(String id, String tier, long rank) {
        return new Incoming.Label(id, Text.colored(tier + " ", "gold"), tier, 3L, 1200, rank);
    }

    @Test
    @DisplayName("are there again after a restart")
    void restart() {
        Path file = folder.resolve("labels.json");
        Labels labels = new Labels(file, log);
        assertNull(labels.put(label("A-1", "HT2", 4)));
        assertEquals("HT2", labels.put(label("a-1", "HT1", 3)).tier());
        labels.put(new Incoming.Top(List.of(new Incoming.Top.Row("Ann", 1873, null, null))));
        labels.save();
        Labels again = new Labels(file, log);
        again.load();
        assertEquals(label("a-1", "HT1", 3), again.get("A-1"));
        assertEquals(labels.top(), again.top());
        assertNull(again.get(null));
    }

    @Test
    @DisplayName("in a damaged file are begun anew, with a word")
    void damaged() throws IOException {
        Path file = folder.resolve("labels.json");
        Files.writeString(file, "[{\"type\":\"lab");
        Labels labels = new Labels(file, log);
        labels.load();
        assertNull(labels.get("a"));
        assertTrue(log.has("begun anew"));
    }

    @Test
    @DisplayName("are told politely while the daemon is away")
    void offline() {
        Labels labels = new Labels(folder.resolve("labels.json"), log);
        labels.put(label("a", "HT2", 4));
        Who ann = new Who("a", "Ann");
        List<Text> lines = Offline.answer(
                new Command(ann, "world", List.of("rank"), List.of()), labels);
        assertEquals("Last known: HT2 Ann, rating 1200, #4", lines.get(1).words());
        assertEquals(1, Offline.answer(
                new Command(ann, "world", List.of("rank", "Bob"), List.of()), labels).size());
        assertEquals(1, Offline.answer(
                new Command(null, null, List.of("rank"), List.of()), labels).size());
    }
}
