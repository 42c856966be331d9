package adr.bridge;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Keeps one WebSocket to the daemon alive: dials, waits, dials again.
 *
 * <p>All state belongs to the loop, the bridge's only thread; what the HTTP client's threads
 * hear is handed over to it. A socket is known by its {@link Frames}: whatever an earlier one
 * still has to say is ignored.
 */
final class Link implements Frames.Ear {
    private static final int MAX_MESSAGE = 4 * 1024 * 1024;

    private final Setup setup;
    private final Loop loop;
    private final Http threads;
    private final Session session;
    private final Logger log;
    private final Backoff backoff;
    private HttpClient http;
    private Frames current;
    private WebSocket socket;
    private boolean live;
    private boolean sending;
    private boolean stopping;
    private long liveSince;
    private volatile long lastHeard;
    private String lastComplaint = "";

    Link(Setup setup, Loop loop, Session session, Logger log) {
        this.setup = setup;
        this.loop = loop;
        this.session = session;
        this.log = log;
        this.threads = new Http();
        this.backoff = new Backoff(setup.timings,
                () -> ThreadLocalRandom.current().nextDouble());
    }

    void dial() {
        if (stopping) {
            return;
        }
        Frames attempt = new Frames(this, MAX_MESSAGE);
        current = attempt;
        try {
            http = http == null ? threads.client(setup) : http;
        } catch (IOException e) {
            lost(attempt, "The certificate file " + setup.caFile + " cannot be used (" + Words.of(e) + ").", true);
            return;
        }
        http.newWebSocketBuilder().header("Authorization", "Bearer " + setup.token)
                .connectTimeout(Duration.ofMillis(setup.timings.connect))
                .buildAsync(setup.url, attempt)
                .whenCompleteAsync((made, fault) -> dialled(attempt, made, fault), loop);
    }

    private void dialled(Frames attempt, WebSocket made, Throwable fault) {
        if (attempt != current || stopping) {
            if (made != null) {
                made.abort();
            }
        } else if (fault != null) {
            refused(attempt, fault instanceof CompletionException ? fault.getCause() : fault);
        } else {
            socket = made;
            sending = false;
            lastHeard = System.nanoTime();
            greet(attempt);
            beat(attempt);
            loop.later(setup.timings.connect, () -> late(attempt));
        }
    }

    private void refused(Frames attempt, Throwable fault) {
        if (fault instanceof WebSocketHandshakeException answer && answer.getResponse() != null) {
            int status = answer.getResponse().statusCode();
            if (status == 401 || status == 429) {
                lost(attempt, "The daemon does not accept the token (" + status + "). Make a new"
                        + " one with 'adr-bridge server add NAME' and put it into config.yml."
                        + " Until then it is tried again every few minutes.", true);
            } else {
                lost(attempt, "The daemon at " + setup.url + " answers with " + status
                        + "; it is tried again until it works.", false);
            }
            return;
        }
        if (String.valueOf(fault.getMessage()).contains("selector manager closed")) {
            http = null;
        }
        lost(attempt, "The daemon at " + setup.url + " cannot be reached (" + Words.of(fault)
                + "); it is tried again until it can. Kills are kept meanwhile.", false);
    }

    private void greet(Frames attempt) {
        try {
            send(attempt, session.hello());
        } catch (IOException e) {
            log.log(Level.SEVERE, "The spool cannot be read", e);
            lost(attempt, "The spool cannot be read", true);
        }
    }

    private void late(Frames attempt) {
        if (attempt == current && !live) {
            lost(attempt, "The daemon does not answer.", false);
        }
    }

    /** The daemon has welcomed us: events may go. */
    void live(String server, String version) {
        live = true;
        liveSince = System.nanoTime();
        lastComplaint = "";
        log.info("Connected to the daemon " + version + " as server '" + server + "'.");
        pump();
    }

    boolean isLive() {
        return live;
    }

    /** The link did what it is for, so a loss is followed by a short pause. */
    void worked() {
        backoff.reset();
    }

    /** Sends what there is, as long as nothing is on its way. */
    void pump() {
        if (!live || sending) {
            return;
        }
        try {
            String frame = session.nextFrame();
            if (frame != null) {
                send(current, frame);
            }
        } catch (IOException e) {
            log.log(Level.SEVERE, "The spool cannot be read", e);
            lost(current, "The spool cannot be read", true);
        }
    }

    private void send(Frames attempt, String text) {
        sending = true;
        socket.sendText(text, true).whenCompleteAsync((done, fault) -> {
            if (attempt != current) {
                return;
            }
            sending = false;
            if (fault != null) {
                lost(attempt, "The connection is lost (" + Words.of(fault) + ").", false);
            } else {
                pump();
            }
        }, loop);
    }

    /** Closes and dials again at once; the daemon must hear a new {@code hello}. */
    void renew() {
        if (socket != null && !stopping) {
            drop(true);
            loop.later(setup.timings.firstPause / 5, this::dial);
        }
    }

    private void beat(Frames attempt) {
        long pause = Math.min(setup.timings.heartbeat, setup.timings.silence / 3 + 1);
        loop.later(pause, () -> {
            if (attempt != current) {
                return;
            }
            long silent = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lastHeard);
            if (silent > setup.timings.silence) {
                lost(attempt, "Nothing was heard of the daemon for " + silent / 1000 + " s.", false);
            } else {
                socket.sendPing(ByteBuffer.allocate(0));
                beat(attempt);
            }
        });
    }

    private void lost(Frames attempt, String why, boolean slow) {
        if (attempt != current || stopping) {
            return;
        }
        if (live && TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - liveSince) >= 10) {
            backoff.reset();
        }
        if (!why.equals(lastComplaint)) {
            log.warning(why);
            lastComplaint = why;
        }
        drop(false);
        loop.later(slow ? backoff.slow() : backoff.next(), this::dial);
    }

    private void drop(boolean politely) {
        WebSocket old = socket;
        boolean was = live;
        current = null;
        socket = null;
        live = false;
        if (old != null && politely) {
            old.sendClose(WebSocket.NORMAL_CLOSURE, "");
            loop.later(1000, old::abort);
        } else if (old != null) {
            old.abort();
        }
        if (was) {
            session.down();
        }
    }

    /** Closes for good; the future is done when the daemon has heard it, or not answered. */
    CompletableFuture<?> close() {
        stopping = true;
        WebSocket old = socket;
        socket = null;
        current = null;
        live = false;
        http = null;
        if (old == null) {
            return CompletableFuture.completedFuture(null);
        }
        return old.sendClose(WebSocket.NORMAL_CLOSURE, "").orTimeout(500, TimeUnit.MILLISECONDS)
                .handle((done, fault) -> {
                    old.abort();
                    return null;
                });
    }

    /** Ends the threads of the HTTP client. */
    void shutdown() {
        threads.shutdown();
    }

    @Override
    public void heard(Frames from) {
        lastHeard = System.nanoTime();
    }

    @Override
    public void message(Frames from, String text) {
        loop.execute(() -> {
            if (from == current) {
                session.message(text);
            }
        });
    }

    @Override
    public void closed(Frames from, int code, String reason) {
        loop.execute(() -> lost(from, Words.of(code, reason), Words.needsPerson(code)));
    }

    @Override
    public void failed(Frames from, Throwable fault) {
        loop.execute(() -> lost(from, "The connection is lost (" + Words.of(fault) + ").", false));
    }
}
