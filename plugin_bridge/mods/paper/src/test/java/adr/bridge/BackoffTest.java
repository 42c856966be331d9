package adr.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The pause between two tries")
class BackoffTest {
    @Test
    @DisplayName("doubles from half a second to half a minute")
    void doubles() {
        Backoff backoff = new Backoff(Timings.usual(), () -> 0.5);
        long[] expected = {500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000};
        for (long pause : expected) {
            assertEquals(pause, backoff.next());
        }
        backoff.reset();
        assertEquals(500, backoff.next());
    }

    @Test
    @DisplayName("is spread by a quarter to both sides")
    void spread() {
        assertEquals(375, new Backoff(Timings.usual(), () -> 0).next());
        assertEquals(625, new Backoff(Timings.usual(), () -> 1).next());
    }

    @Test
    @DisplayName("is minutes long where only a person can help")
    void slow() {
        Backoff backoff = new Backoff(Timings.usual(), () -> 0.5);
        assertTrue(backoff.slow() >= 120_000);
        assertEquals(500, backoff.next());
    }
}
