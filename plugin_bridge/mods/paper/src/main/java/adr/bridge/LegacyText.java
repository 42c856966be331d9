package adr.bridge;

import java.util.List;
import java.util.Locale;

/**
 * Text as a string with section-sign codes, for servers that know no text components.
 *
 * <p>Colours given as {@code #rrggbb} become the fourteen characters long form that servers
 * read since 1.16. A section sign inside the words themselves is dropped: it would be a code.
 */
public final class LegacyText {
    private static final char SIGN = '\u00a7';
    private static final int HEX_LENGTH = 14;
    /** In the order of their codes, 0 to f. */
    private static final List<String> COLORS = List.of(("black dark_blue dark_green dark_aqua"
            + " dark_red dark_purple gold gray dark_gray blue green aqua red light_purple yellow"
            + " white").split(" "));

    private final StringBuilder out = new StringBuilder();
    private String last = "";

    private LegacyText() {
    }

    /** The text with codes. */
    public static String of(Text text) {
        LegacyText writer = new LegacyText();
        writer.write(text, "", new boolean[5]);
        return writer.out.toString();
    }

    private void write(Text text, String above, boolean[] flagsAbove) {
        String color = text.color() == null ? above : color(text.color());
        boolean[] flags = flagsAbove.clone();
        StringBuilder style = new StringBuilder(color);
        for (int i = 0; i < flags.length; i++) {
            flags[i] = text.flag(i) == null ? flags[i] : text.flag(i);
            if (flags[i]) {
                style.append(SIGN).append((char) ('k' + i));
            }
        }
        String words = text.text().replace(String.valueOf(SIGN), "");
        if (!words.isEmpty()) {
            append(style.toString(), color.isEmpty(), words);
        }
        for (Text part : text.parts()) {
            write(part, color, flags);
        }
    }

    private void append(String style, boolean colorless, String words) {
        if (!style.equals(last)) {
            if (colorless && !last.isEmpty()) {
                out.append(SIGN).append('r');
            }
            out.append(style);
            last = style;
        }
        out.append(words);
    }

    private static String color(String color) {
        if (color.matches("#[0-9a-fA-F]{6}")) {
            StringBuilder hex = new StringBuilder(HEX_LENGTH).append(SIGN).append('x');
            for (char digit : color.substring(1).toLowerCase(Locale.ROOT).toCharArray()) {
                hex.append(SIGN).append(digit);
            }
            return hex.toString();
        }
        int code = COLORS.indexOf(color);
        return code < 0 ? "" : "" + SIGN + Character.forDigit(code, 16);
    }

    /**
     * The longest beginning of at most {@code limit} characters that cuts neither a code nor a
     * character in two, and that does not end in a code with nothing behind it.
     */
    public static String fit(String text, int limit) {
        if (text.length() <= limit) {
            return text;
        }
        int at = 0;
        int end = 0;
        while (at < text.length()) {
            boolean code = text.charAt(at) == SIGN && at + 1 < text.length();
            int step = code ? codeLength(text, at) : Character.charCount(text.codePointAt(at));
            if (at + step > limit) {
                break;
            }
            at += step;
            end = code ? end : at;
        }
        return text.substring(0, end);
    }

    private static int codeLength(String text, int at) {
        boolean hex = Character.toLowerCase(text.charAt(at + 1)) == 'x'
                && at + HEX_LENGTH <= text.length();
        for (int i = 2; hex && i < HEX_LENGTH; i += 2) {
            hex = text.charAt(at + i) == SIGN;
        }
        return hex ? HEX_LENGTH : 2;
    }
}
