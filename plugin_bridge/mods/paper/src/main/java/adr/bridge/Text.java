package adr.bridge;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A piece of chat text as the daemon sends it: a text component without events.
 *
 * <p>Kept as the fields of the component, since that is what most games want back; an attribute
 * that is absent is as in the text around it.
 */
public final class Text {
    private static final int MAX_DEPTH = 16;
    private static final List<String> FLAGS =
            List.of("obfuscated", "bold", "strikethrough", "underlined", "italic");

    private final Map<String, Object> fields = new LinkedHashMap<>();
    private final List<Object> extra = new ArrayList<>();
    private final List<Text> parts = new ArrayList<>();

    private Text(Object text, Object color) {
        fields.put("text", text instanceof String ? text : "");
        if (color instanceof String) {
            fields.put("color", color);
        }
    }

    /** Text without any colour. */
    public static Text plain(String text) {
        return new Text(text, null);
    }

    /** Text in one colour. */
    public static Text colored(String text, String color) {
        return new Text(text, color);
    }

    /** Several texts one after the other. */
    public static Text join(Text... parts) {
        Text all = plain("");
        for (Text part : parts) {
            all.add(part);
        }
        return all;
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
        Text text = new Text(map.get("text"), map.get("color"));
        for (String flag : FLAGS) {
            if (map.get(flag) instanceof Boolean on) {
                text.fields.put(flag, on);
            }
        }
        if (map.get("extra") instanceof List<?> items) {
            for (Object item : items) {
                text.add(decode(item, depth + 1));
            }
        }
        return text;
    }

    private void add(Text part) {
        parts.add(part);
        extra.add(part.fields);
        fields.put("extra", extra);
    }

    String text() {
        return (String) fields.get("text");
    }

    /** Null if it is the colour of the text around it. */
    String color() {
        return (String) fields.get("color");
    }

    /** One of the five flags, in the order of their codes; null if it is as around. */
    Boolean flag(int number) {
        return (Boolean) fields.get(FLAGS.get(number));
    }

    List<Text> parts() {
        return parts;
    }

    /** The same as a JSON text component, which the game reads directly. */
    Map<String, Object> encode() {
        return fields;
    }

    /** {@link #encode} as a string. */
    public String json() {
        return JsonWriter.write(fields);
    }

    /** Only the words. */
    public String words() {
        StringBuilder out = new StringBuilder(text());
        for (Text part : parts) {
            out.append(part.words());
        }
        return out.toString();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Text text && text.fields.equals(fields);
    }

    @Override
    public int hashCode() {
        return fields.hashCode();
    }
}
