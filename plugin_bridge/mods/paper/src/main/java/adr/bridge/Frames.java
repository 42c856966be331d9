package adr.bridge;

import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletionStage;

/**
 * Hears one WebSocket: puts its parts together again and passes whole messages on.
 *
 * <p>The JDK delivers a text in pieces whatever the frame was, delivers nothing at all unless
 * asked after every callback, and bounds nothing; all three are taken care of here.
 */
final class Frames implements WebSocket.Listener {
    /** What is heard, on a thread of the HTTP client. */
    interface Ear {
        void heard(Frames from);

        void message(Frames from, String text);

        void closed(Frames from, int code, String reason);

        void failed(Frames from, Throwable fault);
    }

    private final Ear ear;
    private final int max;
    private final StringBuilder parts = new StringBuilder();

    Frames(Ear ear, int max) {
        this.ear = ear;
        this.max = max;
    }

    @Override
    public void onOpen(WebSocket socket) {
        socket.request(1);
    }

    @Override
    public CompletionStage<?> onText(WebSocket socket, CharSequence part, boolean last) {
        ear.heard(this);
        if (parts.length() + part.length() > max) {
            ear.failed(this, new IllegalStateException("a message of more than " + max + " characters"));
            return null;
        }
        parts.append(part);
        if (last) {
            String text = parts.toString();
            parts.setLength(0);
            ear.message(this, text);
        }
        socket.request(1);
        return null;
    }

    @Override
    public CompletionStage<?> onPing(WebSocket socket, ByteBuffer data) {
        ear.heard(this);
        socket.request(1);
        return null;
    }

    @Override
    public CompletionStage<?> onPong(WebSocket socket, ByteBuffer data) {
        ear.heard(this);
        socket.request(1);
        return null;
    }

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int code, String reason) {
        ear.closed(this, code, reason);
        return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable fault) {
        ear.failed(this, fault);
    }
}
