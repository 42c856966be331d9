package adr.paper;

import adr.bridge.Who;
import org.bukkit.GameMode;
import org.bukkit.entity.Player;
import org.bukkit.metadata.MetadataValue;

/** Who somebody is, and who takes part. */
final class Players {
    private final Options options;

    Players(Options options) {
        this.options = options;
    }

    static Who who(Player player) {
        return new Who(player.getUniqueId().toString(), player.getName());
    }

    static boolean vanished(Player player) {
        for (MetadataValue value : player.getMetadata("vanished")) {
            if (value.asBoolean()) {
                return true;
            }
        }
        return false;
    }

    /** No NPC, nobody vanished, exempt, in creative mode or in a world left out. */
    boolean eligible(Player player) {
        GameMode mode = player.getGameMode();
        return (mode == GameMode.SURVIVAL || mode == GameMode.ADVENTURE)
                && !player.hasMetadata("NPC")
                && !vanished(player)
                && !player.hasPermission("adrbridge.exempt")
                && options.rated(player.getWorld().getName());
    }
}
