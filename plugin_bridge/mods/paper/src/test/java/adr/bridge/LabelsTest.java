package adr.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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

    private static Label label(String id, String tier, long rank) {
        return new Label(id, Text.colored(tier + " ", "gold"), tier, 3L, 1200, rank);
    }

    @Test
    @DisplayName("are there again after a restart")
    void restart() {
        Path file = folder.resolve("labels.json");
        Labels labels = new Labels(file, log);
        labels.label(label("A-1", "HT2", 4));
        labels.label(label("a-1", "HT1", 3));
        labels.top(List.of(new Label("Ann", null, "HT1", null, 1873, 1L)));
        labels.settings(new Settings(20, false, false, true));
        labels.save();
        Labels again = new Labels(file, log);
        again.load();
        Label read = again.get("A-1");
        assertEquals("HT1", read.tier);
        assertEquals(3L, read.rank);
        assertEquals(3L, read.index);
        assertEquals(1200, read.rating);
        assertEquals(Text.colored("HT1 ", "gold"), read.prefix);
        assertEquals("Ann", again.top().get(0).player);
        assertEquals(20, again.settings().combatWindow);
        assertTrue(again.settings().nameTag);
        assertFalse(again.settings().combatLogKills);
        assertNull(again.get(null));
    }

    @Test
    @DisplayName("are not kept without end")
    void bounded() {
        Labels labels = new Labels(folder.resolve("labels.json"), log);
        for (int n = 0; n < 6000; n++) {
            labels.label(label("p" + n, "HT1", n));
            labels.get("p0");
        }
        assertNull(labels.get("p1"));
        assertEquals("HT1", labels.get("p0").tier);
        assertEquals("HT1", labels.get("p5999").tier);
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
        labels.label(label("a", "HT2", 4));
        Who ann = new Who("a", "Ann", null);
        List<Text> lines = Offline.answer(
                new Command(ann, "world", List.of("rank"), List.of()), labels);
        assertEquals("Last known: HT2 Ann, rating 1200, #4", lines.get(1).words());
        assertEquals(1, Offline.answer(
                new Command(ann, "world", List.of("rank", "Bob"), List.of()), labels).size());
        assertEquals(1, Offline.answer(
                new Command(null, null, List.of("rank"), List.of()), labels).size());
    }
}
