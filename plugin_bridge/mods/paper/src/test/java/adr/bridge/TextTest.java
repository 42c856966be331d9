package adr.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Text")
class TextTest {
    private static Text of(String json) {
        return Text.decode(JsonReader.read(json));
    }

    @Test
    @DisplayName("travels unchanged")
    void roundTrip() {
        String json = "{\"text\":\"\",\"color\":\"#ffaa00\",\"bold\":true,\"italic\":false,"
                + "\"extra\":[{\"text\":\"HT1\"},{\"text\":\" \",\"obfuscated\":true}]}";
        assertEquals(json, of(json).json());
        assertEquals("HT1 ", of(json).words());
    }

    @Test
    @DisplayName("becomes codes, inherited from the outside in")
    void legacy() {
        assertEquals("plain", LegacyText.of(of("{\"text\":\"plain\"}")));
        assertEquals("\u00a76\u00a7lHT1\u00a76 x", LegacyText.of(of("{\"text\":\"HT1\","
                + "\"color\":\"gold\",\"bold\":true,\"extra\":[{\"text\":\" x\",\"bold\":false}]}")));
        assertEquals("\u00a7x\u00a7f\u00a7f\u00a7a\u00a7a\u00a70\u00a70A\u00a7rB",
                LegacyText.of(of("{\"text\":\"\",\"extra\":[{\"text\":\"A\",\"color\":\"#FFaa00\"},"
                        + "{\"text\":\"B\"}]}")));
    }

    @Test
    @DisplayName("of a name cannot smuggle codes in")
    void noCodes() {
        assertEquals("c\u00a7rx".replace("\u00a7r", "r"), LegacyText.of(Text.plain("c\u00a7rx")));
    }

    @Test
    @DisplayName("is cut between codes and between characters")
    void fits() {
        String tag = "\u00a78[\u00a74\u00a7lOwner\u00a78] \u00a77";
        assertEquals(18, tag.length());
        assertEquals("\u00a78[\u00a74\u00a7lOwner\u00a78] ", LegacyText.fit(tag, 17));
        assertEquals("\u00a78[\u00a74\u00a7lOwner\u00a78] ", LegacyText.fit(tag, 16));
        assertEquals("\u00a78[\u00a74\u00a7lOwner", LegacyText.fit(tag, 13));
        String hex = LegacyText.of(Text.colored("abc", "#123456"));
        assertEquals("", LegacyText.fit(hex, 14));
        assertEquals(hex.substring(0, 15), LegacyText.fit(hex, 15));
        assertEquals("a", LegacyText.fit("a\ud83e\udd8a", 2));
        for (int limit = 0; limit < 40; limit++) {
            String cut = LegacyText.fit(tag + hex + "\ud83e\udd8a" + tag, limit);
            assertTrue(cut.length() <= limit);
            assertTrue(cut.isEmpty() || "\u00a7".indexOf(cut.charAt(cut.length() - 1)) < 0);
        }
    }

    @Test
    @DisplayName("joins")
    void joins() {
        assertEquals("ab", Text.join(Text.plain("a"), Text.plain("b")).words());
    }
}
