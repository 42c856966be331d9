package adr.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import adr.bridge.Text;
import adr.combat.Blasts;
import adr.combat.Blow;
import adr.paper.Doubles.Answer;
import io.papermc.paper.threadedregions.scheduler.EntityScheduler;
import io.papermc.paper.threadedregions.scheduler.GlobalRegionScheduler;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.md_5.bungee.api.ChatMessageType;
import net.md_5.bungee.api.chat.BaseComponent;
import org.bukkit.Server;
import org.bukkit.entity.LightningStrike;
import org.bukkit.entity.Player;
import org.bukkit.event.entity.EntityDamageByEntityEvent;
import org.bukkit.event.entity.EntityDamageEvent.DamageCause;
import org.bukkit.plugin.java.JavaPlugin;
import org.bukkit.scoreboard.Team;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("What differs between servers")
class ServersTest {
    @TempDir
    Path folder;

    /** A plugin that does nothing. */
    private static final class Idle extends JavaPlugin {
    }

    @Test
    @DisplayName("on Folia everything runs on the global scheduler or the player's own")
    void folia() {
        List<String> way = new ArrayList<>();
        GlobalRegionScheduler global = Doubles.of(GlobalRegionScheduler.class,
                Map.of("execute", a -> {
                    way.add("global");
                    ((Runnable) a[1]).run();
                    return null;
                }));
        EntityScheduler own = Doubles.of(EntityScheduler.class, Map.of("execute", a -> {
            way.add("own");
            ((Runnable) a[1]).run();
            return true;
        }));
        Player ann = Doubles.of(Player.class, Map.of("getScheduler", a -> own));
        Server server = Doubles.of(Server.class, Map.of("getGlobalRegionScheduler", a -> global,
                "getPlayer", a -> ann, "getOnlinePlayers", a -> List.of(ann)));
        Idle plugin = new Idle();
        plugin.attach(server, folder.toFile(), null, Map.of());
        plugin.enabled(true);
        Schedule schedule = new Schedule(plugin, true);
        schedule.player(null, player -> way.add("action"));
        schedule.everybody(player -> way.add("action"));
        assertEquals(List.of("global", "own", "action", "global", "own", "action"), way);
        plugin.enabled(false);
        schedule.server(() -> way.add("too late"));
        assertEquals(6, way.size());
    }

    @Test
    @DisplayName("without text components strings with codes are used, within their limits")
    void legacy() {
        List<String> got = new ArrayList<>();
        Map<String, Answer> answers = Doubles.answers();
        answers.put("sendMessage", a -> got.add((String) a[0]) ? null : null);
        answers.put("sendTitle", a -> got.add(a[0] + "/" + a[1]) ? null : null);
        answers.put("setPlayerListName", a -> got.add((String) a[0]) ? null : null);
        answers.put("setPrefix", a -> got.add((String) a[0]) ? null : null);
        Player.Spigot spigot = new Player.Spigot() {
            @Override
            public void sendMessage(ChatMessageType position, BaseComponent component) {
                got.add(position + " " + component.toLegacyText());
            }
        };
        answers.put("spigot", a -> spigot);
        Player ann = Doubles.of(Player.class, answers);
        Chat chat = new LegacyChat();
        Text gold = Text.colored("Hi", "gold");
        chat.send(ann, gold);
        chat.title(ann, gold, null);
        chat.tabName(ann, gold);
        chat.tabName(ann, null);
        chat.prefix(Doubles.of(Team.class, answers), Text.colored("x".repeat(100), "#ff0000"));
        chat.prefix(Doubles.of(Team.class, answers), Text.join(Text.colored("[", "dark_gray"),
                Text.colored("Owner", "dark_red"), Text.colored("] ", "dark_gray")));
        chat.actionBar(ann, gold);
        assertEquals("\u00a76Hi", got.get(0));
        assertEquals("\u00a76Hi/", got.get(1));
        assertEquals("\u00a76Hi", got.get(2));
        assertNull(got.get(3));
        assertEquals(64, got.get(4).length());
        assertEquals("\u00a78[\u00a74Owner\u00a78] ", got.get(5));
        assertTrue(got.get(6).startsWith("ACTION_BAR ") && got.get(6).endsWith("\u00a76Hi"));
    }

    @Test
    @DisplayName("without a caster of lightning it counts as nature's")
    void lightning() {
        Options options = new Options("", "", "", 1, true, true, java.util.Set.of(),
                java.util.Set.of());
        Attackers attackers = new Attackers(new Blasts(), new Players(options),
                new Features(false, true, false, false));
        Player bob = new FakeServer(folder, "ws://127.0.0.1:1/").player("Bob");
        Blow blow = attackers.blow(bob, new EntityDamageByEntityEvent(
                Doubles.of(LightningStrike.class, Map.of()), bob, DamageCause.LIGHTNING, 5));
        assertTrue(blow.nature);
        assertEquals("lightning", blow.cause);
    }

    @Test
    @DisplayName("worlds are chosen by name, in any case of letters")
    void worlds() {
        Options some = new Options("", "", "", 1, true, true, java.util.Set.of("arena", "pvp"),
                java.util.Set.of("pvp"));
        assertTrue(some.rated("Arena"));
        assertFalse(some.rated("PvP"));
        assertFalse(some.rated("world"));
    }
}
