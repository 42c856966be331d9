package adr.bridge;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The fields of one received object, each read with the type that the contract gives it. */
final class Fields {
    private final Map<?, ?> map;

    private Fields(Map<?, ?> map) {
        this.map = map;
    }

    static Fields of(Object value) {
        if (value instanceof Map<?, ?> map) {
            return new Fields(map);
        }
        throw new JsonException("an object was expected");
    }

    String string(String name) {
        return need(name, stringOrNull(name));
    }

    String stringOrNull(String name) {
        return typed(name, String.class);
    }

    boolean bool(String name) {
        return need(name, typed(name, Boolean.class));
    }

    double number(String name) {
        return need(name, typed(name, Number.class)).doubleValue();
    }

    long integer(String name) {
        return need(name, integerOrNull(name));
    }

    Long integerOrNull(String name) {
        Number number = typed(name, Number.class);
        if (number == null) {
            return null;
        }
        if (number.doubleValue() != Math.rint(number.doubleValue())) {
            throw new JsonException("'" + name + "' is not a whole number");
        }
        return number.longValue();
    }

    Text text(String name) {
        return need(name, textOrNull(name));
    }

    Text textOrNull(String name) {
        Object value = map.get(name);
        return value == null ? null : Text.decode(value);
    }

    List<Fields> objects(String name) {
        List<Fields> all = new ArrayList<>();
        for (Object item : need(name, typed(name, List.class))) {
            all.add(of(item));
        }
        return all;
    }

    List<Text> texts(String name) {
        List<Text> all = new ArrayList<>();
        for (Object item : need(name, typed(name, List.class))) {
            all.add(Text.decode(item));
        }
        return all;
    }

    private <T> T typed(String name, Class<T> type) {
        Object value = map.get(name);
        if (value == null) {
            return null;
        }
        if (!type.isInstance(value)) {
            throw new JsonException("'" + name + "' has the wrong type");
        }
        return type.cast(value);
    }

    private static <T> T need(String name, T value) {
        if (value == null) {
            throw new JsonException("'" + name + "' is missing");
        }
        return value;
    }
}
