package adr.paper;

import adr.paper.Doubles.Answer;
import java.io.File;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.bukkit.GameMode;
import org.bukkit.Location;
import org.bukkit.Material;
import org.bukkit.Server;
import org.bukkit.World;
import org.bukkit.command.ConsoleCommandSender;
import org.bukkit.command.PluginCommand;
import org.bukkit.configuration.file.FileConfiguration;
import org.bukkit.entity.Player;
import org.bukkit.event.Cancellable;
import org.bukkit.event.Event;
import org.bukkit.event.EventHandler;
import org.bukkit.event.Listener;
import org.bukkit.inventory.ItemStack;
import org.bukkit.inventory.PlayerInventory;
import org.bukkit.metadata.MetadataValue;
import org.bukkit.plugin.PluginManager;
import org.bukkit.scheduler.BukkitScheduler;
import org.bukkit.scoreboard.Scoreboard;
import org.bukkit.scoreboard.ScoreboardManager;
import org.bukkit.scoreboard.Team;

/** As much of a server as the plugin touches, without a game. */
final class FakeServer {
    final Map<String, Player> players = new LinkedHashMap<>();
    final Map<Player, Map<String, Answer>> answers = new HashMap<>();
    final Map<Player, List<String>> seen = new HashMap<>();
    final List<String> console = new ArrayList<>();
    final List<Listener> listeners = new ArrayList<>();
    final Map<String, PluginCommand> commands = new HashMap<>();
    final Map<String, Team> teams = new LinkedHashMap<>();
    final Map<String, Object> config = new HashMap<>();
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    final Server server;
    final AdrBridgePlugin plugin = new AdrBridgePlugin();

    FakeServer(Path folder, String url) {
        Map<String, Answer> own = Doubles.answers();
        own.put("getBukkitVersion", a -> "26.1.2-R0.1-SNAPSHOT");
        own.put("getOnlinePlayers", a -> new ArrayList<>(players.values()));
        own.put("getPlayer", a -> players.values().stream()
                .filter(p -> p.getUniqueId().equals(a[0])).findFirst().orElse(null));
        Map<String, Answer> manager = Doubles.answers();
        manager.put("registerEvents", a -> listeners.add((Listener) a[0]) ? null : null);
        PluginManager plugins = Doubles.of(PluginManager.class, manager);
        own.put("getPluginManager", a -> plugins);
        BukkitScheduler scheduler = Doubles.of(BukkitScheduler.class,
                Map.of("runTask", a -> tasks.add((Runnable) a[1]) ? null : null));
        own.put("getScheduler", a -> scheduler);
        Map<String, Answer> consoleAnswers = Doubles.answers();
        ConsoleCommandSender sender = Doubles.of(ConsoleCommandSender.class, consoleAnswers);
        consoleAnswers.put("sendMessage", a -> console.add(words(a[0])) ? null : null);
        consoleAnswers.put("hasPermission", a -> true);
        own.put("getConsoleSender", a -> sender);
        ScoreboardManager boards = Doubles.of(ScoreboardManager.class,
                Map.of("getMainScoreboard", a -> board()));
        own.put("getScoreboardManager", a -> boards);
        server = Doubles.of(Server.class, own);
        consoleAnswers.put("getServer", a -> server);
        plugin.getLogger().setLevel(java.util.logging.Level.OFF);
        config.put("url", url);
        config.put("token", "adr_test");
        commands.put("rank", new PluginCommand("rank"));
        commands.put("rankadmin", new PluginCommand("rankadmin"));
        commands.put("event", new PluginCommand("event"));
        File data = folder.toFile();
        plugin.attach(server, data, configuration(), commands);
    }

    private FileConfiguration configuration() {
        return new FileConfiguration() {
            @Override
            public String getString(String path, String def) {
                return (String) config.getOrDefault(path, def);
            }

            @Override
            public long getLong(String path, long def) {
                return (Long) config.getOrDefault(path, def);
            }

            @Override
            public boolean getBoolean(String path, boolean def) {
                return (Boolean) config.getOrDefault(path, def);
            }

            @Override
            @SuppressWarnings("unchecked")
            public List<String> getStringList(String path) {
                return (List<String>) config.getOrDefault(path, List.of());
            }
        };
    }

    /** A tick of the main thread. */
    void tick() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    /** Calls the listeners as the server does: by priority, and not if cancelled. */
    void call(Event event) throws ReflectiveOperationException {
        for (Listener listener : List.copyOf(listeners)) {
            Method[] methods = listener.getClass().getDeclaredMethods();
            Arrays.sort(methods, Comparator.comparing(Method::getName));
            for (Method method : methods) {
                EventHandler handler = method.getAnnotation(EventHandler.class);
                boolean cancelled = event instanceof Cancellable c && c.isCancelled();
                if (handler != null && method.getParameterTypes()[0].isInstance(event)
                        && !(cancelled && handler.ignoreCancelled())) {
                    method.setAccessible(true);
                    method.invoke(listener, event);
                }
            }
        }
    }

    Player player(String name) {
        Map<String, Answer> own = Doubles.answers();
        UUID id = UUID.nameUUIDFromBytes(name.getBytes());
        World world = world("world");
        String[] listName = {name};
        List<String> heard = new ArrayList<>();
        own.put("getName", a -> name);
        own.put("getUniqueId", a -> id);
        own.put("getWorld", a -> world);
        own.put("getLocation", a -> new Location(world, 0, 64, 0));
        own.put("getHealth", a -> 20.0);
        own.put("getGameMode", a -> GameMode.SURVIVAL);
        own.put("getServer", a -> server);
        own.put("canSee", a -> true);
        own.put("getMetadata", a -> List.of());
        own.put("getPlayerListName", a -> listName[0]);
        own.put("setPlayerListName", a -> listName[0] = a[0] == null ? name : (String) a[0]);
        own.put("playerListName", a -> listName[0] = a[0] == null ? name : words(a[0]));
        own.put("sendMessage", a -> heard.add(words(a[0])) ? null : null);
        own.put("sendActionBar", a -> heard.add("bar " + words(a[0])) ? null : null);
        own.put("showTitle", a -> heard.add("title") ? null : null);
        own.put("hasPermission", a -> !a[0].equals("adrbridge.exempt")
                && !a[0].equals("adrbridge.admin"));
        PlayerInventory inventory = Doubles.of(PlayerInventory.class,
                Map.of("getItemInMainHand", a -> new ItemStack(Material.DIAMOND_SWORD)));
        own.put("getInventory", a -> inventory);
        Player player = Doubles.of(Player.class, own);
        players.put(name, player);
        answers.put(player, own);
        seen.put(player, heard);
        return player;
    }

    static World world(String name) {
        return Doubles.of(World.class, Map.of("getName", a -> name));
    }

    static void metadata(Map<String, Answer> own, String key) {
        MetadataValue yes = Doubles.of(MetadataValue.class, Map.of("asBoolean", a -> true));
        own.put("hasMetadata", a -> a[0].equals(key));
        own.put("getMetadata", a -> a[0].equals(key) ? List.of(yes) : List.of());
    }

    private static String words(Object text) {
        return text instanceof String string ? string
                : net.kyori.adventure.text.serializer.gson.GsonComponentSerializer.gson()
                        .serialize((net.kyori.adventure.text.Component) text);
    }

    private Scoreboard board() {
        return Doubles.of(Scoreboard.class, Map.of(
                "getEntryTeam", a -> teams.values().stream()
                        .filter(t -> t.getEntries().contains(a[0])).findFirst().orElse(null),
                "getTeam", a -> teams.get(a[0]),
                "getTeams", a -> new java.util.HashSet<>(teams.values()),
                "registerNewTeam", a -> team((String) a[0])));
    }

    Team team(String name) {
        Map<String, Answer> own = Doubles.answers();
        TreeSet<String> entries = new TreeSet<>();
        own.put("getName", a -> name);
        own.put("getEntries", a -> entries);
        own.put("addEntry", a -> entries.add((String) a[0]) ? null : null);
        own.put("removeEntry", a -> entries.remove(a[0]));
        own.put("unregister", a -> teams.remove(name) == null ? null : null);
        Team team = Doubles.of(Team.class, own);
        teams.put(name, team);
        return team;
    }
}
