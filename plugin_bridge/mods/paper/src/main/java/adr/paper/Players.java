package adr.paper;

import adr.bridge.Who;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.UUID;
import org.bukkit.GameMode;
import org.bukkit.entity.Player;
import org.bukkit.metadata.MetadataValue;

/** Who somebody is, and who takes part. */
final class Players {
    /** Made anew at each start and told nobody, so that no address can be guessed from it. */
    private static final UUID SECRET = UUID.randomUUID();

    private final Options options;

    Players(Options options) {
        this.options = options;
    }

    static Who who(Player player) {
        return new Who(player.getUniqueId().toString(), player.getName(), null);
    }

    /**
     * Who somebody is, with the address: of IPv6 the half that a home has in common. Whoever
     * comes from this machine may be anybody, through a tunnel.
     */
    static Who present(Player player) {
        InetSocketAddress from = player.getAddress();
        InetAddress address = from == null ? null : from.getAddress();
        if (address == null || address.isLoopbackAddress()) {
            return who(player);
        }
        String known = SECRET + Arrays.toString(Arrays.copyOf(address.getAddress(), 8));
        Who who = who(player);
        return new Who(who.id, who.name, UUID.nameUUIDFromBytes(known.getBytes()).toString());
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
