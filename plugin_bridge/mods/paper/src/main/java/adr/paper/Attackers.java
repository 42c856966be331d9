package adr.paper;

import adr.combat.Blasts;
import adr.combat.Blow;
import adr.combat.Causes;
import org.bukkit.Location;
import org.bukkit.Material;
import org.bukkit.entity.AreaEffectCloud;
import org.bukkit.entity.EnderCrystal;
import org.bukkit.entity.EnderPearl;
import org.bukkit.entity.Entity;
import org.bukkit.entity.FallingBlock;
import org.bukkit.entity.LightningStrike;
import org.bukkit.entity.LivingEntity;
import org.bukkit.entity.Player;
import org.bukkit.entity.Projectile;
import org.bukkit.entity.TNTPrimed;
import org.bukkit.entity.Tameable;
import org.bukkit.entity.ThrownPotion;
import org.bukkit.event.entity.EntityDamageByEntityEvent;
import org.bukkit.event.entity.EntityDamageEvent;

/** Finds the player behind a damage: the shooter of the arrow, the owner of the wolf. */
final class Attackers {
    private static final int MAX_CHAIN = 8;

    private final Blasts blasts;
    private final Players players;
    private final Features features;

    Attackers(Blasts blasts, Players players, Features features) {
        this.blasts = blasts;
        this.players = players;
        this.features = features;
    }

    /** What a damage to a player was. */
    Blow blow(Player victim, EntityDamageEvent event) {
        String cause = event.getCause().name();
        String key = Causes.key(cause);
        if (Causes.byCommand(cause, event.getDamage())) {
            return Blow.uncounted("other");
        }
        if (key.equals("fall")) {
            return Blow.nature(key);
        }
        if (event instanceof EntityDamageByEntityEvent by) {
            return byEntity(victim, by.getDamager(), event, key);
        }
        if (cause.equals("BLOCK_EXPLOSION")) {
            Location at = victim.getLocation();
            return blast(victim, blasts.find(victim.getWorld().getName(), at.getX(), at.getY(),
                    at.getZ(), System.nanoTime()), key);
        }
        return Blow.nature(key);
    }

    private Blow byEntity(Player victim, Entity damager, EntityDamageEvent event, String key) {
        if (damager instanceof EnderCrystal crystal) {
            return blast(victim, ofCrystal(crystal), "crystal");
        }
        if (damager instanceof EnderPearl) {
            return Blow.nature("fall");
        }
        String cause = cause(damager, key);
        Object behind = behind(damager);
        if (behind == null && features.damageSource) {
            behind = event.getDamageSource().getCausingEntity();
        }
        if (behind instanceof Player player) {
            return players.eligible(player)
                    ? Blow.by(Players.who(player), cause, weapon(player, damager))
                            .seenBy(victim.getUniqueId().toString())
                    : Blow.uncounted(cause);
        }
        return behind instanceof LivingEntity ? Blow.uncounted(cause) : Blow.nature(cause);
    }

    private static Blow blast(Player victim, Blow blow, String key) {
        return blow == null ? Blow.nature(key)
                : blow.seenBy(victim.getUniqueId().toString());
    }

    /** Who set a crystal off; null if nobody is known. */
    Blow ofCrystal(EnderCrystal crystal) {
        return blasts.find(crystal.getUniqueId().toString(), 0, 0, 0, System.nanoTime());
    }

    /**
     * Who is behind an entity: a player, another living entity, or null if nobody is known.
     * What somebody set off by a projectile is that shooter's.
     */
    Object behind(Entity entity) {
        Object at = entity;
        for (int i = 0; i < MAX_CHAIN && at != null; i++) {
            Object next = step(at);
            if (next == at) {
                return at instanceof LivingEntity ? at : null;
            }
            at = next;
        }
        return null;
    }

    private Object step(Object entity) {
        if (entity instanceof Projectile projectile) {
            return projectile.getShooter();
        } else if (entity instanceof TNTPrimed tnt) {
            return tnt.getSource();
        } else if (entity instanceof AreaEffectCloud cloud) {
            return cloud.getSource();
        } else if (entity instanceof Tameable pet && pet.getOwner() instanceof Player owner) {
            return owner;
        } else if (entity instanceof LightningStrike strike) {
            return features.lightningCause ? strike.getCausingPlayer() : null;
        }
        return entity;
    }

    private static String cause(Entity damager, String key) {
        if (damager instanceof ThrownPotion || damager instanceof AreaEffectCloud) {
            return "magic";
        } else if (damager instanceof Projectile) {
            return key.equals("explosion") ? key : "projectile";
        } else if (damager instanceof TNTPrimed) {
            return "explosion";
        } else if (damager instanceof Tameable) {
            return "pet";
        } else if (damager instanceof LightningStrike) {
            return "lightning";
        } else if (damager instanceof FallingBlock) {
            return "other";
        }
        return key;
    }

    private String weapon(Player player, Entity damager) {
        if (damager != player && !(damager instanceof Projectile)) {
            return null;
        }
        if (features.folia && !player.getServer().isOwnedByCurrentRegion(player)) {
            return null;
        }
        Material held = player.getInventory().getItemInMainHand().getType();
        boolean shot = damager instanceof Projectile
                && held != Material.BOW && held != Material.CROSSBOW;
        if (shot) {
            return damager.getType().getKey().getKey();
        }
        return held == Material.AIR ? null : held.getKey().getKey();
    }
}
