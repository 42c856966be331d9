package adr.paper;

import adr.bridge.Bridge;
import org.bukkit.entity.Player;
import org.bukkit.event.EventHandler;
import org.bukkit.event.EventPriority;
import org.bukkit.event.Listener;
import org.bukkit.event.player.PlayerChangedWorldEvent;
import org.bukkit.event.player.PlayerJoinEvent;
import org.bukkit.event.player.PlayerQuitEvent;

/** Tells the daemon who is here and where. */
final class PresenceListener implements Listener {
    private final Bridge bridge;
    private final Display display;

    PresenceListener(Bridge bridge, Display display) {
        this.bridge = bridge;
        this.display = display;
    }

    @EventHandler(priority = EventPriority.MONITOR)
    public void onJoin(PlayerJoinEvent event) {
        Player player = event.getPlayer();
        bridge.join(Players.present(player), player.getWorld().getName());
        display.draw(player);
    }

    @EventHandler(priority = EventPriority.MONITOR)
    public void onQuit(PlayerQuitEvent event) {
        bridge.quit(event.getPlayer().getUniqueId().toString());
        display.forget(event.getPlayer());
    }

    @EventHandler(priority = EventPriority.MONITOR)
    public void onWorld(PlayerChangedWorldEvent event) {
        Player player = event.getPlayer();
        bridge.world(Players.present(player), player.getWorld().getName());
    }
}
