package org.bukkit.entity;

import java.net.InetSocketAddress;
import java.util.UUID;
import net.kyori.adventure.text.Component;
import net.md_5.bungee.api.ChatMessageType;
import net.md_5.bungee.api.chat.BaseComponent;
import org.bukkit.OfflinePlayer;

public interface Player extends HumanEntity, OfflinePlayer {
    @Override
    String getName();

    @Override
    UUID getUniqueId();

    InetSocketAddress getAddress();

    String getPlayerListName();

    void setPlayerListName(String name);

    void playerListName(Component name);

    void sendTitle(String title, String subtitle, int fadeIn, int stay, int fadeOut);

    boolean canSee(Player player);

    Spigot spigot();

    /** What Spigot adds. */
    class Spigot {
        public void sendMessage(ChatMessageType position, BaseComponent component) {
            throw new UnsupportedOperationException();
        }
    }
}
