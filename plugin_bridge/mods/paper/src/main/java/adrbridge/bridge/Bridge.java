package adrbridge.bridge;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Everything between a game and the daemon; knows no game.
 *
 * <p>Every public method may be called from any thread and returns at once, except
 * {@link #start} and {@link #stop}. All work is done on one thread of its own, the loop.
 */
public final class Bridge implements Link.Cargo {
    private static final long SAVE_LABELS_SECONDS = 30;

    private final Setup setup;
    private final Platform platform;
    private final Log log;
    private final ScheduledThreadPoolExecutor loop;
    private final Labels labels;
    private final Pending pending;
    private final Link link;
    private final Map<String, Map<String, Object>> online = new LinkedHashMap<>();
    private Keeper keeper;
    private Outbox outbox;
    private long helloFirst;
    private boolean oddHeard;

    public Bridge(Setup setup, Platform platform, Log log) {
        this.setup = setup;
        this.platform = platform;
        this.log = log;
        this.loop = new ScheduledThreadPoolExecutor(1, task -> {
            Thread thread = new Thread(task, "adr-bridge");
            thread.setDaemon(true);
            return thread;
        });
        loop.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        this.labels = new Labels(setup.folder().resolve("labels.json"), log);
        this.pending = new Pending(loop, labels, setup.timings().reply());
        this.link = new Link(setup, loop, this, log);
    }

    /**
     * Opens the spool and begins to dial.
     *
     * @throws IOException if the folder cannot be used; nothing is left running then
     */
    public void start() throws IOException {
        try {
            Spool spool = Spool.open(setup.folder(), setup.spoolBytes(), log);
            outbox = new Outbox(spool);
            keeper = new Keeper(spool, log, loop, link::pump);
        } catch (IOException | RuntimeException e) {
            loop.shutdownNow();
            link.shutdown();
            throw e;
        }
        labels.load();
        run(link::dial);
        loop.scheduleWithFixedDelay(labels::save, SAVE_LABELS_SECONDS, SAVE_LABELS_SECONDS,
                TimeUnit.SECONDS);
    }

    /** Waits until what was reported is on disk, says goodbye to the daemon, ends all threads. */
    public void stop() {
        CountDownLatch closed = new CountDownLatch(1);
        run(() -> {
            pending.giveUpAll();
            keeper.close();
            labels.save();
            CompletableFuture<?> goodbye = link.close();
            goodbye.whenComplete((done, fault) -> closed.countDown());
        });
        try {
            if (!closed.await(5, TimeUnit.SECONDS)) {
                log.warn("The bridge was slow to stop.");
            }
            loop.shutdown();
            link.shutdown();
            loop.awaitTermination(2, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            loop.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }

    /** Last known ranks, for any thread. */
    public Labels labels() {
        return labels;
    }

    public void kill(Who killer, Who victim, String cause, String weapon, String world) {
        keep(Events.kill(now(), killer, victim, cause, weapon, world));
    }

    public void death(Who victim, String cause, String world) {
        keep(Events.death(now(), victim, cause, world));
    }

    private void keep(String event) {
        run(() -> keeper.keep(event));
    }

    public void join(Who player, String world) {
        run(() -> {
            online.put(player.id(), Events.online(player, world));
            news(Events.join(player, world));
        });
    }

    public void quit(String player) {
        run(() -> {
            online.remove(player);
            news(Events.quit(player));
        });
    }

    public void world(Who player, String world) {
        run(() -> {
            online.put(player.id(), Events.online(player, world));
            news(Events.world(player.id(), world));
        });
    }

    /** Asks the daemon; the answer comes exactly once, on the loop. */
    public void command(Command command, Consumer<List<Text>> answer) {
        run(() -> {
            if (link.isLive()) {
                news(Events.command(pending.ask(command, answer), command));
            } else {
                answer.accept(Offline.answer(command, labels));
            }
        });
    }

    private void news(String packet) {
        if (link.isLive()) {
            outbox.news(packet);
            link.pump();
        }
    }

    @Override
    public String hello() throws IOException {
        keeper.force();
        helloFirst = keeper.spool().first();
        return Events.hello(setup.identity(), keeper.spool().id(), helloFirst, now(),
                new ArrayList<>(online.values()));
    }

    @Override
    public String nextFrame() throws IOException {
        String frame = outbox.next();
        if (frame == null && outbox.needsNewHello()) {
            link.renew();
        }
        return frame;
    }

    @Override
    public void message(String text) {
        try {
            for (Incoming packet : Incoming.frame(text)) {
                packet(packet);
            }
        } catch (JsonException e) {
            log.warn("The daemon sent something that is not JSON: " + e.getMessage());
        } catch (IOException e) {
            log.bug("The spool cannot be written", e);
        }
    }

    private void packet(Incoming packet) throws IOException {
        if (packet instanceof Incoming.Welcome welcome) {
            welcome(welcome);
        } else if (packet instanceof Incoming.Ack ack) {
            if (outbox.acked(ack.seq())) {
                link.worked();
            }
            keeper.spool().acked(ack.seq());
            link.pump();
        } else if (packet instanceof Incoming.Label label) {
            Incoming.Label before = labels.put(label);
            Text shown = before == null ? null : before.prefix();
            platform.label(label, !java.util.Objects.equals(shown, label.prefix()));
        } else if (packet instanceof Incoming.Settings settings) {
            platform.settings(settings);
        } else if (packet instanceof Incoming.Message message) {
            platform.message(message);
        } else if (packet instanceof Incoming.Broadcast broadcast) {
            platform.broadcast(broadcast);
        } else if (packet instanceof Incoming.Reply reply) {
            pending.answer(reply.id(), reply.lines());
        } else if (packet instanceof Incoming.Top top) {
            labels.put(top);
        } else if (packet instanceof Incoming.Complaint complaint) {
            complain(complaint);
        } else if (packet instanceof Incoming.Unknown unknown && !oddHeard) {
            oddHeard = true;
            log.warn("The daemon sends something that this plugin does not know ("
                    + unknown.why() + "); is the plugin older than the daemon?");
        }
    }

    private void welcome(Incoming.Welcome welcome) throws IOException {
        Spool spool = keeper.spool();
        if (welcome.seq() >= spool.next()) {
            log.warn("The spool is an older copy of what it was; a new one is begun.");
            spool.renew();
            link.renew();
            return;
        }
        spool.acked(welcome.seq());
        outbox.begin(helloFirst, welcome.seq(), welcome.window());
        link.live(welcome.server(), welcome.daemonVersion());
    }

    private void complain(Incoming.Complaint complaint) {
        if (complaint.id() != null) {
            pending.answer(complaint.id(), List.of(Text.colored(complaint.text(), "red")));
        }
        log.warn("The daemon says: " + complaint.text() + " (" + complaint.code()
                + (complaint.seq() == null ? "" : ", event " + complaint.seq()) + ")");
    }

    @Override
    public void down() {
        outbox.end();
        pending.giveUpAll();
    }

    private void run(Runnable task) {
        try {
            loop.execute(() -> {
                try {
                    task.run();
                } catch (RuntimeException e) {
                    log.bug("A fault in the bridge", e);
                }
            });
        } catch (RejectedExecutionException e) {
            // Stopped: whoever still calls is on the way out.
        }
    }

    private static double now() {
        return System.currentTimeMillis() / 1000.0;
    }
}
