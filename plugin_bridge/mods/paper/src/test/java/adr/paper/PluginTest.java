package adr.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import adr.paper.Doubles.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.bukkit.GameMode;
import org.bukkit.Material;
import org.bukkit.block.Block;
import org.bukkit.entity.AreaEffectCloud;
import org.bukkit.entity.EnderCrystal;
import org.bukkit.entity.EnderPearl;
import org.bukkit.entity.Entity;
import org.bukkit.entity.EntityType;
import org.bukkit.entity.LightningStrike;
import org.bukkit.entity.LivingEntity;
import org.bukkit.entity.Player;
import org.bukkit.entity.Projectile;
import org.bukkit.entity.TNTPrimed;
import org.bukkit.entity.Tameable;
import org.bukkit.event.Event;
import org.bukkit.event.block.Action;
import org.bukkit.event.entity.EntityDamageByEntityEvent;
import org.bukkit.event.entity.EntityDamageEvent;
import org.bukkit.event.entity.EntityDamageEvent.DamageCause;
import org.bukkit.event.entity.PlayerDeathEvent;
import org.bukkit.event.player.PlayerInteractEvent;
import org.bukkit.event.player.PlayerJoinEvent;
import org.bukkit.event.player.PlayerKickEvent;
import org.bukkit.event.player.PlayerQuitEvent;
import org.bukkit.event.player.PlayerRespawnEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The plugin on stand-ins for the server. They show that it asks the right questions and what it
 * makes of the answers; not that a real server answers so.
 */
@DisplayName("The plugin, on a server that is not there")
class PluginTest {
    @TempDir
    Path folder;
    private FakeServer fake;
    private Player ann;
    private Player bob;

    @BeforeEach
    void enable() {
        fake = new FakeServer(folder, "ws://127.0.0.1:1/");
        ann = fake.player("Ann");
        bob = fake.player("Bob");
        fake.plugin.enabled(true);
    }

    @AfterEach
    void disable() {
        if (fake.plugin.isEnabled()) {
            fake.plugin.enabled(false);
        }
    }

    private void call(Event event) throws Exception {
        fake.call(event);
    }

    private void hurt(Entity by, DamageCause cause) throws Exception {
        call(by == null ? new EntityDamageEvent(bob, cause, 5)
                : new EntityDamageByEntityEvent(by, bob, cause, 5));
    }

    private void dies() throws Exception {
        call(new PlayerDeathEvent(bob));
    }

    /** What the plugin has written into its spool; disables it. */
    private String spool() throws Exception {
        fake.plugin.enabled(false);
        return Files.readString(folder.resolve("spool.log"));
    }

    private void isKill(String cause, String weapon) throws Exception {
        String spool = spool();
        assertEquals(2, spool.lines().count(), spool);
        assertTrue(spool.contains("\"killer\":{\"id\":\"" + ann.getUniqueId()), spool);
        assertTrue(spool.contains("\"victim\":{\"id\":\"" + bob.getUniqueId()), spool);
        assertTrue(spool.contains("\"cause\":\"" + cause + "\",\"weapon\":"
                + (weapon == null ? "null" : '"' + weapon + '"') + ",\"world\":\"world\""), spool);
    }

    private void isNoKill() throws Exception {
        assertFalse(spool().contains("\"kill\""));
    }

    @Test
    @DisplayName("reports a hit with a sword")
    void sword() throws Exception {
        hurt(ann, DamageCause.ENTITY_ATTACK);
        dies();
        isKill("attack", "diamond_sword");
    }

    @Test
    @DisplayName("reports an arrow as its shooter's")
    void arrow() throws Exception {
        hurt(Doubles.of(Projectile.class, Map.of("getShooter", a -> ann,
                "getType", a -> EntityType.ARROW)), DamageCause.PROJECTILE);
        dies();
        isKill("projectile", "arrow");
    }

    @Test
    @DisplayName("reports the fall at the end of one's own pearl, fleeing, as the last hitter's")
    void pearl() throws Exception {
        hurt(ann, DamageCause.ENTITY_ATTACK);
        hurt(Doubles.of(EnderPearl.class, Map.of("getShooter", a -> bob)), DamageCause.PROJECTILE);
        dies();
        isKill("fall", "diamond_sword");
    }

    @Test
    @DisplayName("reports TNT as the one's who lit it, also with an arrow")
    void tnt() throws Exception {
        Entity arrow = Doubles.of(Projectile.class, Map.of("getShooter", a -> ann));
        hurt(Doubles.of(TNTPrimed.class, Map.of("getSource", a -> arrow)),
                DamageCause.ENTITY_EXPLOSION);
        dies();
        isKill("explosion", null);
    }

    private EnderCrystal crystal(String name) {
        return Doubles.of(EnderCrystal.class, Map.of("getUniqueId",
                a -> java.util.UUID.nameUUIDFromBytes(name.getBytes())));
    }

    @Test
    @DisplayName("reports a crystal as the one's who hit it, through a chain of them")
    void crystal() throws Exception {
        call(new EntityDamageByEntityEvent(ann, crystal("1"), DamageCause.ENTITY_ATTACK, 1));
        call(new EntityDamageByEntityEvent(crystal("1"), crystal("2"),
                DamageCause.ENTITY_EXPLOSION, 1));
        hurt(crystal("2"), DamageCause.ENTITY_EXPLOSION);
        dies();
        isKill("crystal", null);
    }

    @Test
    @DisplayName("reports nobody's own crystal")
    void ownCrystal() throws Exception {
        hurt(ann, DamageCause.ENTITY_ATTACK);
        call(new EntityDamageByEntityEvent(bob, crystal("1"), DamageCause.ENTITY_ATTACK, 1));
        hurt(crystal("1"), DamageCause.ENTITY_EXPLOSION);
        dies();
        isNoKill();
    }

    private void uses(Player who, Material material) throws Exception {
        Block block = Doubles.of(Block.class, Map.of("getType", a -> material,
                "getWorld", a -> FakeServer.world("world"), "getY", a -> 64));
        call(new PlayerInteractEvent(who, Action.RIGHT_CLICK_BLOCK, block));
    }

    @Test
    @DisplayName("reports an anchor as the one's who used it")
    void anchor() throws Exception {
        uses(ann, Material.RESPAWN_ANCHOR);
        hurt(null, DamageCause.BLOCK_EXPLOSION);
        dies();
        isKill("anchor", null);
    }

    @Test
    @DisplayName("reports a bed as the one's who used it")
    void bed() throws Exception {
        uses(ann, Material.RED_BED);
        hurt(null, DamageCause.BLOCK_EXPLOSION);
        dies();
        isKill("bed", null);
    }

    @Test
    @DisplayName("reports a wolf as its owner's")
    void wolf() throws Exception {
        hurt(Doubles.of(Tameable.class, Map.of("getOwner", a -> ann)), DamageCause.ENTITY_ATTACK);
        dies();
        isKill("pet", null);
    }

    @Test
    @DisplayName("reports lightning as its caster's")
    void lightning() throws Exception {
        hurt(Doubles.of(LightningStrike.class, Map.of("getCausingPlayer", a -> ann)),
                DamageCause.LIGHTNING);
        dies();
        isKill("lightning", null);
    }

    @Test
    @DisplayName("reports a potion cloud as its thrower's")
    void cloud() throws Exception {
        hurt(Doubles.of(AreaEffectCloud.class, Map.of("getSource", a -> ann)), DamageCause.MAGIC);
        dies();
        isKill("magic", null);
    }

    @Test
    @DisplayName("reports fall, lava, fire, void, drowning and suffocation after a hit")
    void nature() throws Exception {
        DamageCause[] causes = {DamageCause.FALL, DamageCause.LAVA, DamageCause.FIRE_TICK,
            DamageCause.VOID, DamageCause.DROWNING, DamageCause.SUFFOCATION};
        for (DamageCause cause : causes) {
            hurt(ann, DamageCause.ENTITY_ATTACK);
            hurt(null, cause);
            dies();
            call(new PlayerRespawnEvent(bob));
        }
        String spool = spool();
        for (String cause : List.of("fall", "lava", "fire", "void", "drowning", "suffocation")) {
            assertTrue(spool.contains("\"cause\":\"" + cause + "\",\"weapon\":\"diamond_sword\""),
                    cause);
        }
        assertEquals(7, spool.lines().count());
    }

    @Test
    @DisplayName("reports leaving in combat, but not being kicked")
    void leaving() throws Exception {
        hurt(ann, DamageCause.ENTITY_ATTACK);
        call(new PlayerKickEvent(bob));
        call(new PlayerQuitEvent(bob));
        call(new PlayerJoinEvent(bob));
        hurt(ann, DamageCause.ENTITY_ATTACK);
        call(new PlayerQuitEvent(bob));
        isKill("combat_log", "diamond_sword");
    }

    @Test
    @DisplayName("reports no kill by a mob, a command, a cancelled hit or one without damage")
    void noKills() throws Exception {
        EntityDamageEvent cancelled =
                new EntityDamageByEntityEvent(ann, bob, DamageCause.ENTITY_ATTACK, 5);
        cancelled.setCancelled(true);
        call(cancelled);
        call(new EntityDamageByEntityEvent(ann, bob, DamageCause.ENTITY_ATTACK, 0));
        hurt(null, DamageCause.FALL);
        dies();
        call(new PlayerRespawnEvent(bob));
        hurt(ann, DamageCause.ENTITY_ATTACK);
        hurt(Doubles.of(LivingEntity.class, Map.of()), DamageCause.ENTITY_ATTACK);
        dies();
        call(new PlayerRespawnEvent(bob));
        hurt(ann, DamageCause.ENTITY_ATTACK);
        call(new EntityDamageEvent(bob, DamageCause.VOID, Float.MAX_VALUE));
        dies();
        isNoKill();
    }

    @Test
    @DisplayName("leaves out whoever is vanished, an NPC, exempt, in creative mode or elsewhere")
    void leftOut() throws Exception {
        Map<String, Answer> own = fake.answers.get(ann);
        Map<String, Answer> usual = Map.copyOf(own);
        List<Runnable> ways = List.of(
                () -> FakeServer.metadata(own, "vanished"),
                () -> FakeServer.metadata(own, "NPC"),
                () -> own.put("hasPermission", a -> a[0].equals("adrbridge.exempt")),
                () -> own.put("getGameMode", a -> GameMode.CREATIVE));
        for (Runnable way : ways) {
            way.run();
            hurt(ann, DamageCause.ENTITY_ATTACK);
            dies();
            call(new PlayerRespawnEvent(bob));
            own.putAll(usual);
            own.remove("hasMetadata");
        }
        isNoKill();
    }

    @Test
    @DisplayName("leaves out the worlds that the configuration leaves out")
    void worlds() throws Exception {
        fake.plugin.enabled(false);
        fake.config.put("ignored_worlds", List.of("World"));
        fake.listeners.clear();
        fake.plugin.enabled(true);
        hurt(ann, DamageCause.ENTITY_ATTACK);
        dies();
        assertEquals(1, spool().lines().count());
    }

    @Test
    @DisplayName("answers /rank politely while the daemon is away, from the main thread")
    void rank() throws Exception {
        var command = fake.commands.get("rank");
        command.getExecutor().onCommand(ann, command, "rank", new String[0]);
        command.getExecutor().onCommand(fake.server.getConsoleSender(), command, "rank",
                new String[] {"top"});
        for (int i = 0; i < 100 && fake.console.isEmpty(); i++) {
            Thread.sleep(20);
            fake.tick();
        }
        assertTrue(fake.seen.get(ann).get(0).contains("Ranks cannot be looked up"));
        assertEquals(1, fake.console.size());
    }

    @Test
    @DisplayName("answers /adrbridge:rank as /rank, should another plugin have taken the short name")
    void namespaced() throws Exception {
        var command = fake.commands.get("rank");
        command.getExecutor().onCommand(ann, command, "rank", new String[0]);
        command.getExecutor().onCommand(ann, command, "adrbridge:rank", new String[0]);
        List<String> answers = fake.seen.get(ann);
        for (int i = 0; i < 100 && answers.size() < 2; i++) {
            Thread.sleep(20);
            fake.tick();
        }
        assertTrue(answers.get(0).contains("Ranks cannot be looked up"));
        assertEquals(answers.get(0), answers.get(1));
    }

    @Test
    @DisplayName("completes what the sender may use, and nobody who is hidden")
    void completes() {
        var command = fake.commands.get("rank");
        Player cat = fake.player("Cat");
        FakeServer.metadata(fake.answers.get(cat), "vanished");
        Player dan = fake.player("Dan");
        fake.answers.get(ann).put("canSee", a -> a[0] != dan);
        assertEquals(List.of("Ann", "Bob", "events", "help", "why", "top"), command.getTabCompleter()
                .onTabComplete(ann, command, "rank", new String[] {""}));
        assertEquals(List.of("Bob"), command.getTabCompleter()
                .onTabComplete(ann, command, "rank", new String[] {"bO"}));
        assertEquals(List.of("--season"), command.getTabCompleter()
                .onTabComplete(ann, command, "rank", new String[] {"Top", "--S"}));
        assertEquals(List.of(), command.getTabCompleter()
                .onTabComplete(ann, command, "rank", new String[] {"top", "--season", ""}));
        assertEquals(List.of(), command.getTabCompleter()
                .onTabComplete(ann, command, "rank", new String[] {"why", ""}));
        fake.answers.get(ann).put("hasPermission", a -> false);
        for (String[] typed : List.of(new String[] {""}, new String[] {"top", ""})) {
            assertEquals(List.of(), command.getTabCompleter()
                    .onTabComplete(ann, command, "rank", typed));
        }
        var admin = fake.commands.get("rankadmin");
        assertEquals(List.of(), admin.getTabCompleter()
                .onTabComplete(ann, admin, "rankadmin", new String[] {""}));
        assertEquals(List.of("reload"), admin.getTabCompleter().onTabComplete(
                fake.server.getConsoleSender(), admin, "rankadmin", new String[] {"r"}));
        var event = fake.commands.get("event");
        assertEquals(List.of("join", "leave", "status"), event.getTabCompleter()
                .onTabComplete(ann, event, "event", new String[] {""}));
        assertEquals(List.of("exclude"), admin.getTabCompleter().onTabComplete(
                fake.server.getConsoleSender(), admin, "rankadmin", new String[] {"ex"}));
        assertEquals(List.of("status", "start", "stop"), event.getTabCompleter().onTabComplete(
                fake.server.getConsoleSender(), event, "event", new String[] {"st"}));
    }

    @Test
    @DisplayName("is enabled and disabled five times and leaves no thread and no lock behind")
    void reloads() {
        for (int i = 0; i < 5; i++) {
            fake.plugin.enabled(false);
            fake.listeners.clear();
            fake.plugin.enabled(true);
            assertEquals(3, fake.listeners.size());
        }
        fake.plugin.enabled(false);
        assertEquals(0, Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("adr-bridge") && thread.isAlive())
                .count());
    }

    @Test
    @DisplayName("without a token says what to do, and nothing else happens")
    void noToken() {
        fake.plugin.enabled(false);
        fake.config.put("token", "");
        fake.listeners.clear();
        fake.plugin.enabled(true);
        assertTrue(fake.listeners.isEmpty());
    }
}
