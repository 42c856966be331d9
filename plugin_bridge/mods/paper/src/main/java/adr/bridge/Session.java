package adr.bridge;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.logging.Logger;

/** The talk with the daemon: what is said when, over one connection after the other. */
final class Session implements Heard {
    /** More than that is not allowed in one hello. */
    private static final int MAX_ONLINE = 5_000;

    private final Setup setup;
    private final Platform platform;
    private final Labels labels;
    private final Pending pending;
    private final Keeper keeper;
    private final Outbox outbox;
    private final Logger log;
    private final Map<String, Map<String, Object>> online = new LinkedHashMap<>();
    private Link link;
    private long helloFirst;
    private boolean oddHeard;

    Session(Setup setup, Platform platform, Labels labels, Pending pending, Keeper keeper,
            Logger log) {
        this.setup = setup;
        this.platform = platform;
        this.labels = labels;
        this.pending = pending;
        this.keeper = keeper;
        this.outbox = new Outbox(keeper.spool());
        this.log = log;
    }

    void over(Link link) {
        this.link = link;
    }

    void join(Who player, String world) {
        online.put(player.id, Events.online(player, world));
        news(Events.join(player, world));
    }

    void quit(String player) {
        online.remove(player);
        news(Events.quit(player));
    }

    void world(Who player, String world) {
        online.put(player.id, Events.online(player, world));
        news(Events.world(player.id, world));
    }

    void command(Command command, Consumer<List<Text>> answer) {
        if (link.isLive()) {
            news(Events.command(pending.ask(command, answer), command));
        } else {
            answer.accept(Offline.answer(command, labels));
        }
    }

    private void news(String packet) {
        if (link.isLive()) {
            outbox.news(packet);
            link.pump();
        }
    }

    String hello() throws IOException {
        keeper.spool().force();
        helloFirst = keeper.spool().first();
        List<Map<String, Object>> here = new ArrayList<>(online.values());
        return Events.hello(setup, keeper.spool().id(), helloFirst, Events.now(),
                here.subList(0, Math.min(MAX_ONLINE, here.size())));
    }

    /** The next frame to send; null if there is none now. */
    String nextFrame() throws IOException {
        String frame = outbox.next();
        if (frame == null && outbox.needsNewHello()) {
            link.renew();
        }
        return frame;
    }

    /** A whole message came. */
    void message(String text) {
        try {
            Incoming.read(text, this);
        } catch (JsonException e) {
            log.warning("The daemon sent something that is not JSON: " + e.getMessage());
        }
    }

    /** The connection is gone. */
    void down() {
        outbox.end();
        pending.giveUpAll();
    }

    @Override
    public void welcome(String daemonVersion, String server, long seq, int window) {
        if (keeper.renewed(seq)) {
            link.renew();
            return;
        }
        keeper.acked(seq);
        outbox.begin(helloFirst, seq, window);
        link.live(server, daemonVersion);
    }

    @Override
    public void ack(long seq) {
        if (outbox.acked(seq)) {
            link.worked();
        }
        keeper.acked(seq);
        link.pump();
    }

    @Override
    public void settings(Settings settings) {
        labels.settings(settings);
        platform.settings(settings);
    }

    @Override
    public void label(Label label) {
        Label before = labels.get(label.player);
        labels.label(label);
        if (!Objects.equals(before == null ? null : before.prefix, label.prefix)) {
            platform.redraw(label.player);
        }
    }

    @Override
    public void text(String player, String permission, String where, Text text, Text subtitle) {
        platform.text(player, permission, where, text, subtitle);
    }

    @Override
    public void reply(String id, List<Text> lines) {
        pending.answer(id, lines);
    }

    @Override
    public void top(List<Label> rows) {
        labels.top(rows);
    }

    @Override
    public void complaint(String code, String text, Long seq, String id) {
        if (code.equals("unavailable")) {
            pending.giveUp(id);
            return;
        }
        pending.answer(id, List.of(Text.colored(text, "red")));
        log.warning("The daemon says: " + text + " (" + code
                + (seq == null ? "" : ", event " + seq) + ")");
    }

    @Override
    public void unknown(String why) {
        if (!oddHeard) {
            oddHeard = true;
            log.warning("The daemon sends something that this plugin does not know (" + why
                    + "); is the plugin older than the daemon?");
        }
    }
}
