package adr.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.reflect.Proxy;
import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A message in parts")
class FramesTest implements Frames.Ear {
    private final List<String> heard = new ArrayList<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final WebSocket socket = (WebSocket) Proxy.newProxyInstance(
            WebSocket.class.getClassLoader(), new Class<?>[] {WebSocket.class},
            (proxy, method, arguments) -> {
                if (method.getName().equals("request")) {
                    asked.incrementAndGet();
                }
                return null;
            });

    @Test
    @DisplayName("is put together whatever the cuts")
    void reassembly() {
        Frames frames = new Frames(this, 1000);
        String text = "{\"a\":\"\ud83e\udd8a\"}";
        for (int size = 1; size <= text.length(); size++) {
            for (int at = 0; at < text.length(); at += size) {
                int end = Math.min(text.length(), at + size);
                frames.onText(socket, text.substring(at, end), end == text.length());
            }
        }
        assertEquals(text.length(), heard.size());
        heard.forEach(message -> assertEquals(text, message));
    }

    @Test
    @DisplayName("asks for more after every callback")
    void demand() {
        Frames frames = new Frames(this, 1000);
        frames.onOpen(socket);
        frames.onText(socket, "a", false);
        frames.onText(socket, "b", true);
        frames.onPing(socket, null);
        frames.onPong(socket, null);
        frames.onBinary(socket, null, true);
        assertEquals(6, asked.get());
    }

    @Test
    @DisplayName("without end is not collected for ever")
    void bounded() {
        Frames frames = new Frames(this, 10);
        frames.onText(socket, "123456", false);
        frames.onText(socket, "789012", false);
        assertEquals(List.of("failed"), heard);
    }

    @Override
    public void heard(Frames from) {
        // Only the time of it matters, and not here.
    }

    @Override
    public void message(Frames from, String text) {
        heard.add(text);
    }

    @Override
    public void closed(Frames from, int code, String reason) {
        heard.add("closed");
    }

    @Override
    public void failed(Frames from, Throwable fault) {
        heard.add("failed");
    }
}
