package adrbridge.bridge;

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
                Incoming in = Incoming.frame(JsonWriter.write(packet)).get(0);
                if (((String) vector.get("name")).contains("later version")) {
                    assertTrue(in instanceof Incoming.Unknown);
                } else {
                    assertEquals(plain(packet), plain(describe(in)));
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
                return Events.hello(new Identity((String) in.get("platform"),
                        (String) in.get("platform_version"), (String) in.get("mod_version")),
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
        return new Who((String) map(value).get("id"), (String) map(value).get("name"));
    }

    private static Map<String, Object> describe(Incoming in) {
        if (in instanceof Incoming.Welcome w) {
            return of("welcome", "protocol", 1L, "daemon_version", w.daemonVersion(), "server",
                    w.server(), "seq", w.seq(), "window", (long) w.window());
        } else if (in instanceof Incoming.Settings s) {
            return of("settings", "combat_window", s.combatWindow(), "combat_log",
                    s.combatLogKills() ? "kill" : "ignore", "tab_list", s.tabList(), "name_tag",
                    s.nameTag());
        } else if (in instanceof Incoming.Ack a) {
            return of("ack", "seq", a.seq());
        } else if (in instanceof Incoming.Label l) {
            return of("label", "player", l.player(), "prefix", text(l.prefix()), "tier", l.tier(),
                    "index", l.index(), "rating", l.rating(), "rank", l.rank());
        } else if (in instanceof Incoming.Message m) {
            return of("message", "player", m.player(), "where", m.where().name().toLowerCase(),
                    "text", text(m.text()), "subtitle", text(m.subtitle()));
        } else if (in instanceof Incoming.Broadcast b) {
            return of("broadcast", "permission", b.permission(), "where",
                    b.where().name().toLowerCase(), "text", text(b.text()), "subtitle",
                    text(b.subtitle()));
        } else if (in instanceof Incoming.Reply r) {
            return of("reply", "id", r.id(), "lines", r.lines().stream().map(Text::encode).toList());
        } else if (in instanceof Incoming.Top t) {
            return of("top", "rows", t.rows().stream().map(row -> of(null, "name", row.name(),
                    "rating", row.rating(), "tier", row.tier(), "prefix", text(row.prefix())))
                    .toList());
        } else if (in instanceof Incoming.Complaint c) {
            return of("error", "code", c.code(), "text", c.text(), "seq", c.seq(), "id", c.id());
        }
        throw new AssertionError("not understood: " + in);
    }

    private static Object text(Text text) {
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
