package adrbridge.bridge;

import java.util.LinkedHashMap;
import java.util.Map;

/** A player: the id that never changes and the name that people see. */
public record Who(String id, String name) {
    Map<String, Object> encode() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("id", id);
        map.put("name", name);
        return map;
    }
}
