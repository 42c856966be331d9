package adr.bridge;

import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32;

/**
 * One event in the spool file: {@code <crc> <number> <json>} and a line feed.
 *
 * <p>The checksum covers number and JSON, so that a half written line is told from a whole one
 * wherever it was cut. The head of the file is such a line too, with {@code ADR2 <spool id>} in the
 * place of the JSON and the number that the file begins with.
 */
final class SpoolLine {
    private static final String HEAD = "ADR2 ";
    private static final int CRC_LENGTH = 8;

    final long seq;
    final String json;

    SpoolLine(long seq, String json) {
        this.seq = seq;
        this.json = json;
    }

    static SpoolLine head(String id, long first) {
        return new SpoolLine(first, HEAD + id);
    }

    /** The spool id in a head; null if the line is an event. */
    String id() {
        return json.startsWith(HEAD) ? json.substring(HEAD.length()) : null;
    }

    byte[] encode() {
        byte[] body = (seq + " " + json).getBytes(StandardCharsets.UTF_8);
        byte[] line = new byte[CRC_LENGTH + 1 + body.length + 1];
        System.arraycopy(crc(body, 0, body.length).getBytes(StandardCharsets.US_ASCII), 0, line, 0,
                CRC_LENGTH);
        line[CRC_LENGTH] = ' ';
        System.arraycopy(body, 0, line, CRC_LENGTH + 1, body.length);
        line[line.length - 1] = '\n';
        return line;
    }

    /** The event in a line without its line feed; null if the line is damaged. */
    static SpoolLine decode(byte[] bytes, int from, int to) {
        int body = from + CRC_LENGTH + 1;
        if (to - body < 4 || bytes[body - 1] != ' ') {
            return null;
        }
        String crc = new String(bytes, from, CRC_LENGTH, StandardCharsets.US_ASCII);
        if (!crc.equals(crc(bytes, body, to))) {
            return null;
        }
        String text = new String(bytes, body, to - body, StandardCharsets.UTF_8);
        int space = text.indexOf(' ');
        return new SpoolLine(Long.parseLong(text.substring(0, space)), text.substring(space + 1));
    }

    private static String crc(byte[] bytes, int from, int to) {
        CRC32 crc = new CRC32();
        crc.update(bytes, from, to - from);
        return String.format("%08x", crc.getValue());
    }
}
