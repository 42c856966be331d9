package adr.paper;

import adr.bridge.Bridge;
import adr.bridge.Setup;
import adr.combat.Blasts;
import adr.combat.Combat;
import java.io.IOException;
import org.bukkit.command.PluginCommand;
import org.bukkit.entity.Player;
import org.bukkit.plugin.PluginManager;
import org.bukkit.plugin.java.JavaPlugin;

/**
 * The plugin as the server sees it: builds everything when it is enabled, and takes everything
 * down in the reverse order when it is disabled, so that a reload leaves nothing behind.
 */
public final class AdrBridgePlugin extends JavaPlugin {
    private Bridge bridge;
    private Display display;
    private Runnable placeholders = () -> { };

    @Override
    public void onEnable() {
        saveDefaultConfig();
        reloadConfig();
        Options options = Options.read(this);
        String problem = Setup.problem(options.url, options.token);
        if (problem != null) {
            getLogger().warning("config.yml: " + problem + ". The plugin does nothing until this is right.");
            return;
        }
        Features features = Features.detect(getServer());
        Schedule schedule = new Schedule(this, features.folia);
        Chat chat = features.components ? new ComponentChat() : new LegacyChat();
        Combat combat = new Combat();
        Game game = new Game(getServer(), schedule, chat, combat);
        bridge = new Bridge(options.setup(this), game, getLogger());
        NameTags tags = features.folia ? null : new NameTags(getServer(), chat);
        display = new Display(bridge.labels(), chat, options, tags, schedule);
        game.display(display);
        try {
            bridge.start();
        } catch (IOException e) {
            getLogger().warning("The plugin cannot start: " + e.getMessage());
            bridge = null;
            return;
        }
        if (features.folia && options.nameTag) {
            getLogger().info("Name tags stay as they are: this server has no teams for plugins.");
        }
        listen(options, features, combat);
        command(new RankCommand(bridge, schedule, chat));
        if (getServer().getPluginManager().getPlugin("PlaceholderAPI") != null) {
            placeholders = Expansion.register(bridge.labels(), getDescription().getVersion());
        }
        for (Player player : getServer().getOnlinePlayers()) {
            bridge.join(Players.present(player), player.getWorld().getName());
        }
        schedule.everybody(display::draw);
    }

    private void listen(Options options, Features features, Combat combat) {
        PluginManager plugins = getServer().getPluginManager();
        Blasts blasts = new Blasts();
        Players players = new Players(options);
        Attackers attackers = new Attackers(blasts, players, features);
        plugins.registerEvents(new CombatListener(combat, attackers, players, bridge), this);
        plugins.registerEvents(new BlastListener(blasts, attackers, players), this);
        plugins.registerEvents(new PresenceListener(bridge, display), this);
    }

    private void command(RankCommand handler) {
        for (String name : new String[] {"rank", "event", "rankadmin"}) {
            PluginCommand command = getCommand(name);
            if (command != null) {
                command.setExecutor(handler);
                command.setTabCompleter(handler);
            }
        }
    }

    @Override
    public void onDisable() {
        placeholders.run();
        placeholders = () -> { };
        if (bridge != null) {
            display.remove(getServer());
            bridge.stop();
            bridge = null;
        }
    }
}
