package adr.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The same files are read by the tests of the daemon and of the other mods. */
@DisplayName("The shared vectors of packets")
class VectorsTest {
    private static List<Map<String, Object>> read(String name) throws IOException {
        Path file = Path.of(System.getProperty("vectors.dir"), name);
        List<Map<String, Object>> all = new ArrayList<>();
        for (Object vector : (List<?>) JsonReader.read(Files.readString(file))) {
            all.add(map(vector));
        }
        assertFalse(all.isEmpty());
        return all;
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> map(Object value) {
        return (Map<String, Object>) value;
    }

    @TestFactory
    @DisplayName("from the daemon are understood field by field")
    List<DynamicTest> fromDaemon() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Map<String, Object> vector : read("from_daemon.json")) {
            tests.add(DynamicTest.dynamicTest((String) vector.get("name"), () -> {
                Map<String, Object> packet = map(vector.get("packet"));
                Echo echo = new Echo();
                Incoming.read(JsonWriter.write(packet), echo);
                if (((String) vector.get("name")).contains("later version")) {
                    assertEquals("unknown", echo.said.get("type"));
                } else {
                    assertEquals(plain(packet), plain(echo.said));
                }
            }));
        }
        return tests;
    }

    @TestFactory
    @DisplayName("from the mod are what this mod would write")
    List<DynamicTest> fromMod() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Map<String, Object> vector : read("from_mod.json")) {
            for (Object packet : (List<?>) vector.getOrDefault("packets", List.of())) {
                if (map(packet).containsKey("type") && !map(packet).containsKey("error")) {
                    tests.add(DynamicTest.dynamicTest((String) vector.get("name"), () ->
                            assertEquals(plain(packet), plain(JsonReader.read(write(map(packet)))))));
                }
            }
        }
        assertTrue(tests.size() > 5);
        return tests;
    }

    private static String write(Map<String, Object> in) {
        switch ((String) in.get("type")) {
            case "hello":
                List<Map<String, Object>> online = new ArrayList<>();
                for (Object player : (List<?>) in.get("online")) {
                    online.add(Events.online(who(player), (String) map(player).get("world")));
                }
                return Events.hello(new Setup(null, null, null, null, 0,
                        (String) in.get("platform"), (String) in.get("platform_version"),
                        (String) in.get("mod_version"), null),
                        (String) in.get("spool"), (Long) in.get("first"), time(in), online);
            case "kill":
                return Events.numbered((Long) in.get("seq"), Events.kill(time(in),
                        who(in.get("killer")), who(in.get("victim")), (String) in.get("cause"),
                        (String) in.get("weapon"), (String) in.get("world")));
            case "death":
                return Events.numbered((Long) in.get("seq"), Events.death(time(in),
                        who(in.get("victim")), (String) in.get("cause"),
                        (String) in.get("world")));
            case "join":
                return Events.join(who(in.get("player")),
                        (String) map(in.get("player")).get("world"));
            case "world":
                return Events.world((String) in.get("player"), (String) in.get("world"));
            case "quit":
                return Events.quit((String) in.get("player"));
            case "command":
                return Events.command((String) in.get("id"), new Command(
                        in.get("sender") == null ? null : who(in.get("sender")),
                        (String) in.get("world"), strings(in.get("words")),
                        strings(in.get("permissions"))));
            default:
                throw new AssertionError("a packet that this mod does not send: " + in);
        }
    }

    private static List<String> strings(Object list) {
        return ((List<?>) list).stream().map(String.class::cast).toList();
    }

    private static double time(Map<String, Object> in) {
        return ((Number) in.get("time")).doubleValue();
    }

    private static Who who(Object value) {
        return new Who((String) map(value).get("id"), (String) map(value).get("name"),
                (String) map(value).get("address"));
    }

    /** Writes down again what it hears. */
    private static final class Echo implements Heard {
        private Map<String, Object> said;

        @Override
        public void welcome(String daemonVersion, String server, long seq, int window) {
            said = of("welcome", "protocol", 1L, "daemon_version", daemonVersion, "server",
                    server, "seq", seq, "window", (long) window);
        }

        @Override
        public void settings(Settings s) {
            said = of("settings", "combat_window", s.combatWindow, "combat_log",
                    s.combatLogKills ? "kill" : "ignore", "tab_list", s.tabList, "name_tag",
                    s.nameTag);
        }

        @Override
        public void ack(long seq) {
            said = of("ack", "seq", seq);
        }

        @Override
        public void label(Label l) {
            said = of("label", "player", l.player, "prefix", encoded(l.prefix), "tier", l.tier,
                    "index", l.index, "rating", l.rating, "rank", l.rank);
        }

        @Override
        public void text(String player, String permission, String where, Text text,
                Text subtitle) {
            said = of(player == null ? "broadcast" : "message", "player", player, "permission",
                    permission, "where", where, "text", encoded(text), "subtitle",
                    encoded(subtitle));
        }

        @Override
        public void reply(String id, List<Text> lines) {
            said = of("reply", "id", id, "lines", lines.stream().map(Text::encode).toList());
        }

        @Override
        public void top(List<Label> rows) {
            said = of("top", "rows", rows.stream().map(row -> of(null, "name", row.player,
                    "rating", row.rating, "tier", row.tier, "prefix", encoded(row.prefix)))
                    .toList());
        }

        @Override
        public void complaint(String code, String text, Long seq, String id) {
            said = of("error", "code", code, "text", text, "seq", seq, "id", id);
        }

        @Override
        public void unknown(String why) {
            said = of("unknown");
        }
    }

    private static Object encoded(Text text) {
        return text == null ? null : text.encode();
    }

    private static Map<String, Object> of(String type, Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("type", type);
        for (int i = 0; i < pairs.length; i += 2) {
            map.put((String) pairs[i], pairs[i + 1]);
        }
        return map;
    }

    /** Absent and null are the same, 1 and 1.0 are the same. */
    private static Object plain(Object value) {
        if (value instanceof Map<?, ?> map) {
            Map<Object, Object> out = new LinkedHashMap<>();
            map.forEach((name, item) -> {
                if (item != null) {
                    out.put(name, plain(item));
                }
            });
            return out;
        } else if (value instanceof List<?> list) {
            return list.stream().map(VectorsTest::plain).toList();
        } else if (value instanceof Number number) {
            return number.doubleValue();
        }
        return value;
    }
}
