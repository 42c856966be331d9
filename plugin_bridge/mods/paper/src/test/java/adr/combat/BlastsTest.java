package adr.combat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import adr.bridge.Who;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Something that was set off")
class BlastsTest {
    private final Blasts blasts = new Blasts();
    private final Blow ann = Blow.by(new Who("a", "Ann", null), "anchor", null);
    private final Blow bob = Blow.by(new Who("b", "Bob", null), "anchor", null);

    @Test
    @DisplayName("is found near its place, the latest first, for a moment")
    void found() {
        blasts.add(ann, "world", 0, 64, 0, 1);
        blasts.add(bob, "world", 3, 64, 0, 2);
        assertEquals(bob, blasts.find("world", 5, 64, 5, 3));
        assertEquals(ann, blasts.find("world", -11, 64, 0, 3));
        assertNull(blasts.find("world", 30, 64, 0, 3));
        assertNull(blasts.find("nether", 0, 64, 0, 3));
        assertNull(blasts.find("world", 0, 64, 0, 3_000_000_000L));
    }

    @Test
    @DisplayName("is found by the id of a crystal")
    void crystal() {
        blasts.add(ann, "some-id", 0, 0, 0, 1);
        assertEquals(ann, blasts.find("some-id", 0, 0, 0, 2));
        assertNull(blasts.find("other-id", 0, 0, 0, 2));
    }
}
