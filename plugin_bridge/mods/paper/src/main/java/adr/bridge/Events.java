package adr.bridge;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The packets that the mod sends, as JSON.
 *
 * <p>A kill and a death are written without their number: the {@link Spool} gives it, and may
 * have to give another one when the spool is made anew.
 */
public final class Events {
    private Events() {
    }

    /** A kill; {@code weapon} and {@code world} may be null. */
    public static String kill(double time, Who killer, Who victim, String cause, String weapon,
            String world) {
        Map<String, Object> packet = packet("kill");
        packet.put("time", time);
        packet.put("killer", killer.encode());
        packet.put("victim", victim.encode());
        packet.put("cause", key(cause));
        packet.put("weapon", key(weapon));
        packet.put("world", key(world));
        return JsonWriter.write(packet);
    }

    /** A death that is nobody's kill. */
    public static String death(double time, Who victim, String cause, String world) {
        Map<String, Object> packet = packet("death");
        packet.put("time", time);
        packet.put("victim", victim.encode());
        packet.put("cause", key(cause));
        packet.put("world", key(world));
        return JsonWriter.write(packet);
    }

    /** An event with its number put in front. */
    static String numbered(long seq, String event) {
        return "{\"seq\":" + seq + ',' + event.substring(1);
    }

    static String join(Who player, String world) {
        Map<String, Object> packet = packet("join");
        packet.put("player", online(player, world));
        return JsonWriter.write(packet);
    }

    static String quit(String player) {
        Map<String, Object> packet = packet("quit");
        packet.put("player", player);
        return JsonWriter.write(packet);
    }

    static String world(String player, String world) {
        Map<String, Object> packet = packet("world");
        packet.put("player", player);
        packet.put("world", key(world));
        return JsonWriter.write(packet);
    }

    static String command(String id, Command command) {
        Map<String, Object> packet = packet("command");
        packet.put("id", id);
        packet.put("sender", command.sender == null ? null : command.sender.encode());
        packet.put("world", key(command.world));
        packet.put("words", command.words);
        packet.put("permissions", command.permissions);
        return JsonWriter.write(packet);
    }

    static String hello(Setup setup, String spool, long first, double time,
            List<Map<String, Object>> online) {
        Map<String, Object> packet = packet("hello");
        packet.put("protocol", 1L);
        packet.put("platform", setup.platform);
        packet.put("platform_version", setup.platformVersion);
        packet.put("mod_version", setup.modVersion);
        packet.put("spool", spool);
        packet.put("first", first);
        packet.put("time", time);
        packet.put("online", online);
        return JsonWriter.write(packet);
    }

    static Map<String, Object> online(Who player, String world) {
        Map<String, Object> map = player.encode();
        map.put("world", key(world));
        map.put("address", player.address);
        return map;
    }

    private static Map<String, Object> packet(String type) {
        Map<String, Object> packet = new LinkedHashMap<>();
        packet.put("type", type);
        return packet;
    }

    /** The time of the contract. */
    static double now() {
        return System.currentTimeMillis() / 1000.0;
    }

    /** At most 64 characters, never empty: the limits of a key on the wire. */
    private static String key(String text) {
        if (text == null || text.isEmpty()) {
            return null;
        }
        return text.substring(0, text.offsetByCodePoints(0,
                Math.min(64, text.codePointCount(0, text.length()))));
    }
}
