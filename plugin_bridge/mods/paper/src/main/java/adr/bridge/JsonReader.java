package adr.bridge;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A small strict JSON reader, because the JDK has none and the bridge may use nothing else.
 *
 * <p>Objects become {@link Map}, arrays {@link List}, whole numbers {@link Long}, other numbers
 * {@link Double}. Nesting is bounded, so that a hostile text cannot overflow the stack.
 */
final class JsonReader {
    private static final int MAX_DEPTH = 48;

    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    /**
     * Reads one value that fills the whole text.
     *
     * @throws JsonException if it is anything else
     */
    static Object read(String text) {
        JsonReader reader = new JsonReader(text);
        Object value = reader.value(0);
        reader.space();
        if (reader.at != text.length()) {
            throw reader.bad("something after the value");
        }
        return value;
    }

    private Object value(int depth) {
        if (depth > MAX_DEPTH) {
            throw bad("nested too deeply");
        }
        space();
        switch (peek()) {
            case '{':
                return object(depth);
            case '[':
                return array(depth);
            case '"':
                return string();
            case 't':
                return word("true", Boolean.TRUE);
            case 'f':
                return word("false", Boolean.FALSE);
            case 'n':
                return word("null", null);
            default:
                return number();
        }
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> fields = new LinkedHashMap<>();
        at++;
        space();
        if (peek() == '}') {
            at++;
            return fields;
        }
        while (true) {
            space();
            if (peek() != '"') {
                throw bad("a name was expected");
            }
            String name = string();
            space();
            expect(':');
            fields.put(name, value(depth + 1));
            if (ends('}')) {
                return fields;
            }
        }
    }

    private List<Object> array(int depth) {
        List<Object> items = new ArrayList<>();
        at++;
        space();
        if (peek() == ']') {
            at++;
            return items;
        }
        while (true) {
            items.add(value(depth + 1));
            if (ends(']')) {
                return items;
            }
        }
    }

    private boolean ends(char close) {
        space();
        char c = peek();
        at++;
        if (c == close) {
            return true;
        }
        if (c != ',') {
            throw bad("a comma was expected");
        }
        return false;
    }

    private String string() {
        StringBuilder out = new StringBuilder();
        at++;
        while (true) {
            char c = peek();
            at++;
            if (c == '"') {
                return out.toString();
            }
            if (c < ' ') {
                throw bad("a control character in a string");
            }
            out.append(c == '\\' ? escape() : c);
        }
    }

    private char escape() {
        char c = peek();
        at++;
        switch (c) {
            case '"':
            case '\\':
            case '/':
                return c;
            case 'b':
                return '\b';
            case 'f':
                return '\f';
            case 'n':
                return '\n';
            case 'r':
                return '\r';
            case 't':
                return '\t';
            case 'u':
                return unicode();
            default:
                throw bad("an unknown escape");
        }
    }

    private char unicode() {
        int code = 0;
        for (int i = 0; i < 4; i++) {
            char c = peek();
            int digit = c < 128 ? Character.digit(c, 16) : -1;
            if (digit < 0) {
                throw bad("four hex digits were expected");
            }
            code = code * 16 + digit;
            at++;
        }
        return (char) code;
    }

    private Object number() {
        int start = at;
        boolean whole = true;
        if (peek() == '-') {
            at++;
        }
        int first = at;
        digits();
        if (text.charAt(first) == '0' && at > first + 1) {
            throw bad("a number with a leading zero");
        }
        if (at < text.length() && text.charAt(at) == '.') {
            whole = false;
            at++;
            digits();
        }
        if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
            whole = false;
            at++;
            if (peek() == '+' || peek() == '-') {
                at++;
            }
            digits();
        }
        String digits = text.substring(start, at);
        if (whole && digits.length() <= 18) {
            return Long.valueOf(digits);
        }
        return Double.valueOf(digits);
    }

    private void digits() {
        int start = at;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        if (at == start) {
            throw bad("a value was expected");
        }
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw bad("an unknown word");
        }
        at += word.length();
        return value;
    }

    private void expect(char c) {
        if (peek() != c) {
            throw bad("'" + c + "' was expected");
        }
        at++;
    }

    private char peek() {
        if (at >= text.length()) {
            throw bad("the text ends too early");
        }
        return text.charAt(at);
    }

    private void space() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private JsonException bad(String why) {
        return new JsonException(why + " (character " + at + ")");
    }
}
