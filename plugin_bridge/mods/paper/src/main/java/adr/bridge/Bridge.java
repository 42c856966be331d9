package adr.bridge;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Logger;

/**
 * Everything between a game and the daemon; knows no game.
 *
 * <p>Every public method may be called from any thread and returns at once, except
 * {@link #start} and {@link #stop}. All work is done on one thread of its own, the loop.
 */
public final class Bridge {
    private static final long SAVE_LABELS_MILLIS = 30_000;

    private final Setup setup;
    private final Platform platform;
    private final Logger log;
    final Loop loop;
    private final Labels labels;
    private Keeper keeper;
    private Session session;
    private Link link;

    public Bridge(Setup setup, Platform platform, Logger log) {
        this.setup = setup;
        this.platform = platform;
        this.log = log;
        this.loop = new Loop(log);
        this.labels = new Labels(setup.folder.resolve("labels.json"), log);
    }

    /**
     * Opens the spool and begins to dial.
     *
     * @throws IOException if the folder cannot be used; nothing is left running then
     */
    public void start() throws IOException {
        keeper = new Keeper(Spool.open(setup.folder, setup.spoolBytes, log), log, loop);
        labels.load();
        platform.settings(labels.settings());
        session = new Session(setup, platform, labels,
                new Pending(loop, labels, setup.timings.reply), keeper, log);
        link = new Link(setup, loop, session, log);
        session.over(link);
        keeper.afterForce(link::pump);
        loop.execute(link::dial);
        loop.later(SAVE_LABELS_MILLIS, this::saveLabels);
    }

    /** Waits until what was reported is on disk, says goodbye to the daemon, ends all threads. */
    public void stop() {
        CountDownLatch closed = new CountDownLatch(1);
        loop.execute(() -> {
            session.down();
            keeper.close();
            labels.save();
            link.close().whenComplete((done, fault) -> closed.countDown());
        });
        try {
            if (!closed.await(5, TimeUnit.SECONDS)) {
                log.warning("The bridge was slow to stop.");
            }
            link.shutdown();
            loop.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Last known ranks, for any thread. */
    public Labels labels() {
        return labels;
    }

    /** Somebody killed somebody, now; {@code weapon} and {@code world} may be null. */
    public void kill(Who killer, Who victim, String cause, String weapon, String world) {
        String event = Events.kill(Events.now(), killer, victim, cause, weapon, world);
        loop.execute(() -> keeper.keep(event));
    }

    /** Somebody died of nobody's doing, now. */
    public void death(Who victim, String cause, String world) {
        String event = Events.death(Events.now(), victim, cause, world);
        loop.execute(() -> keeper.keep(event));
    }

    public void join(Who player, String world) {
        loop.execute(() -> session.join(player, world));
    }

    public void quit(String player) {
        loop.execute(() -> session.quit(player));
    }

    public void world(Who player, String world) {
        loop.execute(() -> session.world(player, world));
    }

    /** Asks the daemon; the answer comes exactly once, on the loop. */
    public void command(Command command, Consumer<List<Text>> answer) {
        loop.execute(() -> session.command(command, answer));
    }

    private void saveLabels() {
        labels.save();
        loop.later(SAVE_LABELS_MILLIS, this::saveLabels);
    }
}
