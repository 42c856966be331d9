package adr.paper;

import adr.combat.Blasts;
import adr.combat.Blow;
import org.bukkit.block.Block;
import org.bukkit.entity.EnderCrystal;
import org.bukkit.entity.Player;
import org.bukkit.event.EventHandler;
import org.bukkit.event.EventPriority;
import org.bukkit.event.Listener;
import org.bukkit.event.block.Action;
import org.bukkit.event.entity.EntityDamageByEntityEvent;
import org.bukkit.event.player.PlayerInteractEvent;

/** Remembers who sets off crystals, anchors and beds, a moment before they explode. */
final class BlastListener implements Listener {
    private final Blasts blasts;
    private final Attackers attackers;
    private final Players players;

    BlastListener(Blasts blasts, Attackers attackers, Players players) {
        this.blasts = blasts;
        this.attackers = attackers;
        this.players = players;
    }

    @EventHandler(priority = EventPriority.MONITOR, ignoreCancelled = true)
    public void onCrystal(EntityDamageByEntityEvent event) {
        if (!(event.getEntity() instanceof EnderCrystal crystal)) {
            return;
        }
        Blow blow = null;
        if (event.getDamager() instanceof EnderCrystal first) {
            blow = attackers.ofCrystal(first);
        } else if (attackers.behind(event.getDamager()) instanceof Player player) {
            blow = blow(player, "crystal");
        }
        if (blow != null) {
            blasts.add(blow, crystal.getUniqueId().toString(), 0, 0, 0, System.nanoTime());
        }
    }

    @EventHandler(priority = EventPriority.MONITOR, ignoreCancelled = true)
    public void onUse(PlayerInteractEvent event) {
        Block block = event.getClickedBlock();
        if (block == null || event.getAction() != Action.RIGHT_CLICK_BLOCK) {
            return;
        }
        String type = block.getType().name();
        String kind = type.equals("RESPAWN_ANCHOR") ? "anchor" : type.endsWith("_BED") ? "bed" : null;
        if (kind != null) {
            blasts.add(blow(event.getPlayer(), kind), block.getWorld().getName(), block.getX(),
                    block.getY(), block.getZ(), System.nanoTime());
        }
    }

    private Blow blow(Player player, String kind) {
        return players.eligible(player) ? Blow.by(Players.who(player), kind, null)
                : Blow.uncounted(kind);
    }
}
