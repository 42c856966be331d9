package adr.bridge;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Collectors;

/**
 * A platform without a game: the real bridge in a process of its own, played by lines on its
 * standard input. It answers on standard output, one line each, in the order of the words below.
 *
 * <p>Arguments: address, token, folder, and a certificate file or nothing.
 */
public final class Gameless implements Platform {
    private static final Timings FAST = new Timings(100, 1000, 3000, 1000, 3000, 5000, 2000);

    private final String[] arguments;
    private final Logger log = new Logger("gameless", null) {
        @Override
        public void log(LogRecord line) {
            say("log " + line.getLevel() + ' ' + line.getMessage());
            if (line.getThrown() != null) {
                line.getThrown().printStackTrace();
            }
        }
    };
    private Bridge bridge;

    private Gameless(String[] arguments) {
        this.arguments = arguments;
    }

    public static void main(String[] arguments) throws Exception {
        Gameless gameless = new Gameless(arguments);
        gameless.start();
        try (BufferedReader in = new BufferedReader(
                new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                gameless.obey(line.split(" "));
            }
        }
        gameless.bridge.stop();
        gameless.say("stopped");
    }

    private void start() throws IOException {
        Path ca = arguments.length > 3 ? Path.of(arguments[3]) : null;
        bridge = new Bridge(new Setup(URI.create(arguments[0]), arguments[1],
                Path.of(arguments[2]), ca, Long.getLong("spool", 64L << 20), "gameless", null, "test", FAST), this, log);
        bridge.start();
        say("started");
    }

    private void obey(String[] words) throws Exception {
        switch (words[0]) {
            case "join":
                bridge.join(who(words[1]), "world");
                break;
            case "quit":
                bridge.quit(words[1]);
                break;
            case "kill":
                bridge.kill(who(words[1]), who(words[2]), "attack", words[3], "world");
                break;
            case "death":
                bridge.death(who(words[1]), "fall", "world");
                break;
            case "kept":
                // What was reported so far is written by the first task, forced before the second.
                bridge.loop.execute(() -> bridge.loop.execute(() -> say("kept " + words[1])));
                break;
            case "ask":
                ask(words);
                break;
            case "label":
                Label label = bridge.labels().get(words[1]);
                say("label " + (label == null ? "none" : label.rating));
                break;
            case "reload":
                bridge.stop();
                start();
                break;
            case "threads":
                threads();
                break;
            default:
                throw new IllegalArgumentException(words[0]);
        }
    }

    /** {@code ask WHO WORD...}; {@code -} is the console. */
    private void ask(String[] words) {
        List<String> line = Arrays.asList(words).subList(2, words.length);
        bridge.command(new Command(words[1].equals("-") ? null : who(words[1]), "world", line,
                List.of("adrbridge.rank")), lines -> say("answer " + lines.stream()
                        .map(Text::words).collect(Collectors.joining(" / "))));
    }

    /** The threads of the bridge, after those of the bridges before had time to go. */
    private void threads() throws InterruptedException {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            System.gc();
            Thread.sleep(250);
            names.clear();
            for (Thread thread : Thread.getAllStackTraces().keySet()) {
                if (thread.getName().equals("adr-bridge")
                        || thread.getName().contains("SelectorManager")) {
                    names.add(thread.getName());
                }
            }
            if (names.size() == 2) {
                break;
            }
        }
        say("threads " + names.size() + ' ' + names);
    }

    private static Who who(String id) {
        return new Who(id, "Name-" + id, null);
    }

    private synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    @Override
    public void redraw(String player) {
        say("redraw " + player);
    }

    @Override
    public void settings(Settings settings) {
        say("settings " + settings.combatWindow);
    }

    @Override
    public void text(String player, String permission, String where, Text text, Text subtitle) {
        say("text " + where + ' ' + text.words());
    }
}
