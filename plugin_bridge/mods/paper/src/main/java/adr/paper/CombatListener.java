package adr.paper;

import adr.bridge.Bridge;
import adr.bridge.Who;
import adr.combat.Blow;
import adr.combat.Combat;
import org.bukkit.entity.Player;
import org.bukkit.event.EventHandler;
import org.bukkit.event.EventPriority;
import org.bukkit.event.Listener;
import org.bukkit.event.entity.EntityDamageEvent;
import org.bukkit.event.entity.EntityDamageEvent.DamageModifier;
import org.bukkit.event.entity.PlayerDeathEvent;
import org.bukkit.event.player.PlayerJoinEvent;
import org.bukkit.event.player.PlayerKickEvent;
import org.bukkit.event.player.PlayerQuitEvent;
import org.bukkit.event.player.PlayerRespawnEvent;

/**
 * Sees what happens between players, after every other plugin has had its say, and hands the
 * verdict over. Nothing here waits for anything.
 */
final class CombatListener implements Listener {
    private final Combat combat;
    private final Attackers attackers;
    private final Players players;
    private final Bridge bridge;

    CombatListener(Combat combat, Attackers attackers, Players players, Bridge bridge) {
        this.combat = combat;
        this.attackers = attackers;
        this.players = players;
        this.bridge = bridge;
    }

    @EventHandler(priority = EventPriority.MONITOR, ignoreCancelled = true)
    public void onDamage(EntityDamageEvent event) {
        if (event.getEntity() instanceof Player victim && victim.getHealth() > 0
                && damaging(event) && players.eligible(victim)) {
            combat.hurt(Players.who(victim), attackers.blow(victim, event), System.nanoTime());
        }
    }

    /** Damage that only eats golden hearts is damage too, though the final number is then zero. */
    @SuppressWarnings("deprecation")
    private static boolean damaging(EntityDamageEvent event) {
        if (event.getFinalDamage() > 0) {
            return true;
        }
        try {
            return event.isApplicable(DamageModifier.ABSORPTION)
                    && event.getDamage(DamageModifier.ABSORPTION) < 0;
        } catch (LinkageError e) {
            return false;
        }
    }

    @EventHandler(priority = EventPriority.MONITOR, ignoreCancelled = true)
    public void onDeath(PlayerDeathEvent event) {
        Player victim = event.getEntity();
        if (!players.eligible(victim)) {
            combat.clear(victim.getUniqueId().toString());
            return;
        }
        Who who = Players.who(victim);
        report(who, combat.death(who, System.nanoTime()), victim.getWorld().getName());
    }

    /** First of all: other plugins kill whoever leaves in combat, at any later priority. */
    @EventHandler(priority = EventPriority.LOWEST)
    public void onQuit(PlayerQuitEvent event) {
        Player victim = event.getPlayer();
        Who who = Players.who(victim);
        Blow blow = combat.quit(who, System.nanoTime());
        if (players.eligible(victim)) {
            report(who, blow, victim.getWorld().getName());
        }
    }

    /** Being thrown out is not running away. */
    @EventHandler(priority = EventPriority.MONITOR, ignoreCancelled = true)
    public void onKick(PlayerKickEvent event) {
        combat.clear(event.getPlayer().getUniqueId().toString());
    }

    @EventHandler(priority = EventPriority.LOWEST)
    public void onJoin(PlayerJoinEvent event) {
        combat.back(event.getPlayer().getUniqueId().toString(), System.nanoTime());
    }

    @EventHandler(priority = EventPriority.MONITOR)
    public void onRespawn(PlayerRespawnEvent event) {
        combat.clear(event.getPlayer().getUniqueId().toString());
    }

    private void report(Who victim, Blow blow, String world) {
        if (blow != null && blow.by != null) {
            bridge.kill(blow.by, victim, blow.cause, blow.weapon, world);
        } else if (blow != null) {
            bridge.death(victim, blow.cause, world);
        }
    }
}
