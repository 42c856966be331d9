package adr.bridge;

import java.util.LinkedHashMap;
import java.util.Map;

/** A player: the id that never changes and the name that people see. */
public final class Who {
    public final String id;
    public final String name;

    final String address;

    /** {@code address}: scrambled, to tell only whether two are the same; null if unknown. */
    public Who(String id, String name, String address) {
        this.id = id;
        this.name = name;
        this.address = address;
    }

    Map<String, Object> encode() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("id", id);
        map.put("name", name);
        return map;
    }
}
