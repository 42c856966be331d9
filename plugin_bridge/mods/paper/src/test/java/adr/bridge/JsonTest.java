package adr.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("JSON")
class JsonTest {
    @Test
    @DisplayName("is read as it was written")
    void roundTrip() {
        Object value = Map.of("a", Arrays.asList(1L, -2.5, true, null, "x\"\\\n\t\u0001\u2028 \ud83e\udd8a"));
        assertEquals(value, JsonReader.read(JsonWriter.write(value)));
        assertEquals(List.of(), JsonReader.read(" [ ] "));
        assertEquals(Map.of(), JsonReader.read("{}"));
        assertEquals("{}", JsonWriter.write(Map.of()));
        assertEquals("\ud83e\udd8a/", JsonReader.read("\"\\ud83e\\udd8a\\/\""));
        assertEquals(1.5e300, JsonReader.read("1.5E+300"));
    }

    @Test
    @DisplayName("never has half a character in it")
    void surrogates() {
        assertEquals("\"a\ufffdb\"", JsonWriter.write("a\ud83eb"));
        assertEquals("\"\ufffd\"", JsonWriter.write("\udd8a"));
    }

    @Test
    @DisplayName("has numbers that a person would write")
    void numbers() {
        assertEquals("1764500000.25", JsonWriter.write(1764500000.25),
                "a time is a plain number");
        assertEquals("3", JsonWriter.write(3.0));
        assertThrows(IllegalArgumentException.class, () -> JsonWriter.write(Double.NaN));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "{", "[1,]", "{\"a\"}", "{\"a\":1,}", "01", "1.", "-", "+1",
        "nul", "\"\n\"", "\"\\x\"", "\"\\u12g4\"", "1 2", "{a:1}", "[1 2]", "'a'", "NaN"})
    @DisplayName("that is not JSON is refused")
    void refused(String text) {
        assertThrows(JsonException.class, () -> JsonReader.read(text));
    }

    @Test
    @DisplayName("nested without end is refused")
    void deep() {
        assertThrows(JsonException.class, () -> JsonReader.read("[".repeat(100_000)));
    }
}
