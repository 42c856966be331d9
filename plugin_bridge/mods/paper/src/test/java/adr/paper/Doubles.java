package adr.paper;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;

/**
 * Stand-ins for the interfaces of the server: each answers what it was told to answer, and zero,
 * false or null to everything else.
 */
final class Doubles {
    private Doubles() {
    }

    /** What a method answers, given its arguments. */
    @FunctionalInterface
    interface Answer {
        Object to(Object[] arguments);
    }

    /** A stand-in with answers by the names of methods; more may be added to the map later. */
    static <T> T of(Class<T> type, Map<String, Answer> answers, Class<?>... more) {
        Class<?>[] types = new Class<?>[more.length + 1];
        types[0] = type;
        System.arraycopy(more, 0, types, 1, more.length);
        InvocationHandler handler = (proxy, method, arguments) -> {
            switch (method.getName()) {
                case "equals":
                    return proxy == arguments[0];
                case "hashCode":
                    return System.identityHashCode(proxy);
                case "toString":
                    return type.getSimpleName();
                default:
                    Answer answer = answers.get(method.getName());
                    return answer == null ? nothing(method.getReturnType()) : answer.to(arguments);
            }
        };
        return type.cast(Proxy.newProxyInstance(Doubles.class.getClassLoader(), types, handler));
    }

    private static Object nothing(Class<?> type) {
        if (type == boolean.class) {
            return false;
        } else if (type == int.class) {
            return 0;
        } else if (type == long.class) {
            return 0L;
        } else if (type == double.class) {
            return 0.0;
        }
        return null;
    }

    static Map<String, Answer> answers() {
        return new HashMap<>();
    }
}
