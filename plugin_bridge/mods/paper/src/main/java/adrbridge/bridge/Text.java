package adrbridge.bridge;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A piece of chat text as the daemon sends it: a text component without events.
 *
 * <p>Every attribute may be null, which means "as the text around it".
 */
public record Text(String text, String color, Boolean bold, Boolean italic, Boolean underlined,
        Boolean strikethrough, Boolean obfuscated, List<Text> extra) {
    private static final int MAX_DEPTH = 16;

    public Text {
        extra = List.copyOf(extra);
    }

    /** Text without any colour. */
    public static Text plain(String text) {
        return colored(text, null);
    }

    /** Text in one colour. */
    public static Text colored(String text, String color) {
        return new Text(text, color, null, null, null, null, null, List.of());
    }

    /** Several texts one after the other. */
    public static Text join(List<Text> parts) {
        return new Text("", null, null, null, null, null, null, parts);
    }

    /** @throws JsonException if the value is not a text component */
    static Text decode(Object value) {
        return decode(value, 0);
    }

    private static Text decode(Object value, int depth) {
        if (depth > MAX_DEPTH) {
            throw new JsonException("text nested too deeply");
        }
        if (value instanceof String text) {
            return plain(text);
        }
        if (!(value instanceof Map<?, ?> map)) {
            throw new JsonException("a text was expected");
        }
        List<Text> extra = new ArrayList<>();
        if (map.get("extra") instanceof List<?> items) {
            for (Object item : items) {
                extra.add(decode(item, depth + 1));
            }
        }
        return new Text(map.get("text") instanceof String text ? text : "",
                map.get("color") instanceof String color ? color : null,
                flag(map, "bold"), flag(map, "italic"), flag(map, "underlined"),
                flag(map, "strikethrough"), flag(map, "obfuscated"), extra);
    }

    private static Boolean flag(Map<?, ?> map, String name) {
        return map.get(name) instanceof Boolean flag ? flag : null;
    }

    /** The same as a JSON text component, which the game reads directly. */
    public Map<String, Object> encode() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("text", text);
        put(map, "color", color);
        put(map, "bold", bold);
        put(map, "italic", italic);
        put(map, "underlined", underlined);
        put(map, "strikethrough", strikethrough);
        put(map, "obfuscated", obfuscated);
        if (!extra.isEmpty()) {
            map.put("extra", extra.stream().map(Text::encode).toList());
        }
        return map;
    }

    private static void put(Map<String, Object> map, String name, Object value) {
        if (value != null) {
            map.put(name, value);
        }
    }

    /** {@link #encode} as a string. */
    public String json() {
        return JsonWriter.write(encode());
    }

    /** Only the words. */
    public String words() {
        StringBuilder out = new StringBuilder(text);
        for (Text part : extra) {
            out.append(part.words());
        }
        return out.toString();
    }
}
