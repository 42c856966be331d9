package adr.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A placeholder")
class PlaceholdersTest {
    private final Labels labels = new Labels(Path.of("none"), new Lines());

    private String value(String player, String name) {
        return Placeholders.value(labels, player, name);
    }

    @Test
    @DisplayName("tells what is known of a player")
    void known() {
        labels.label(new Label("a", Text.colored("HT1 ", "gold"), "HT1", 1L, 1873, 12L));
        assertEquals("HT1", value("a", "tier"));
        assertEquals("\u00a76HT1", value("a", "label"));
        assertEquals("1873", value("a", "rating"));
        assertEquals("12", value("a", "rank"));
        assertEquals("001000012", value("A", "SORT"));
    }

    @Test
    @DisplayName("is empty, never null, for whoever is not known or not meant")
    void unknown() {
        labels.label(new Label("b", null, null, null, 1000, null));
        for (String name : List.of("tier", "label", "rank")) {
            assertEquals("", value("b", name));
            assertEquals("", value("nobody", name));
            assertEquals("", value(null, name));
        }
        assertTrue(value("b", "sort").compareTo("001000012") > 0);
        assertEquals(value("b", "sort"), value(null, "sort"));
        assertNull(value("b", "nonsense"));
    }

    @Test
    @DisplayName("of the leaderboard needs no player")
    void top() {
        labels.top(List.of(new Label("Ann", Text.plain("HT1 "), "HT1", null, 1873, 1L)));
        assertEquals("Ann", value(null, "top_1_name"));
        assertEquals("1873", value(null, "top_1_rating"));
        assertEquals("HT1", value(null, "top_1_tier"));
        assertEquals("HT1", value(null, "top_1_label"));
        assertEquals("", value(null, "top_2_name"));
        assertNull(value(null, "top_0_name"));
        assertNull(value(null, "top_x"));
        assertNull(value(null, "top_1_shoe"));
        for (String name : List.of("name", "top_1_rank", "top_1_sort", "top_2_sort")) {
            assertNull(value("a", name), name);
        }
    }
}
