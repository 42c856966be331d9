package adr.bridge;

import java.math.BigDecimal;
import java.util.Map;

/**
 * Writes what {@link JsonReader} reads, on one line.
 *
 * <p>A lone half of a surrogate pair, which a player's name can contain, is written as U+FFFD:
 * as it is, it could not travel as UTF-8.
 */
final class JsonWriter {
    private final StringBuilder out = new StringBuilder(256);

    private JsonWriter() {
    }

    /** The value as JSON; maps, iterables, strings, numbers, booleans and null only. */
    static String write(Object value) {
        JsonWriter writer = new JsonWriter();
        writer.value(value);
        return writer.out.toString();
    }

    private void value(Object value) {
        if (value == null) {
            out.append("null");
        } else if (value instanceof CharSequence text) {
            string(text);
        } else if (value instanceof Double number) {
            number(number);
        } else if (value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else if (value instanceof Map<?, ?> fields) {
            object(fields);
        } else if (value instanceof Iterable<?> items) {
            array(items);
        } else {
            throw new IllegalArgumentException("no JSON for " + value.getClass().getName());
        }
    }

    private void object(Map<?, ?> fields) {
        char before = '{';
        if (fields.isEmpty()) {
            out.append(before);
        }
        for (Map.Entry<?, ?> field : fields.entrySet()) {
            out.append(before);
            string((String) field.getKey());
            out.append(':');
            value(field.getValue());
            before = ',';
        }
        out.append('}');
    }

    private void array(Iterable<?> items) {
        out.append('[');
        boolean more = false;
        for (Object item : items) {
            if (more) {
                out.append(',');
            }
            value(item);
            more = true;
        }
        out.append(']');
    }

    private void number(double number) {
        if (Double.isNaN(number) || Double.isInfinite(number)) {
            throw new IllegalArgumentException("no JSON for " + number);
        }
        if (number == Math.rint(number) && Math.abs(number) < 1e15) {
            out.append((long) number);
        } else {
            out.append(new BigDecimal(Double.toString(number)).toPlainString());
        }
    }

    private void string(CharSequence text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format("\\u%04x", (int) c));
            } else if (!Character.isSurrogate(c)) {
                out.append(c);
            } else if (Character.isHighSurrogate(c) && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                out.append(c).append(text.charAt(++i));
            } else {
                out.append('\ufffd');
            }
        }
        out.append('"');
    }
}
