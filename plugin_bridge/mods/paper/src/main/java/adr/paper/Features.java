package adr.paper;

import java.lang.reflect.Method;
import org.bukkit.Server;
import org.bukkit.command.CommandSender;
import org.bukkit.entity.LightningStrike;
import org.bukkit.event.entity.EntityDamageEvent;

/**
 * What this server can do, found out by looking at its classes: version strings are for people,
 * and their form changes.
 *
 * @param folia regions with threads of their own
 * @param components text as Adventure components
 * @param lightningCause lightning knows its caster
 * @param damageSource a damage knows who is behind it (since 1.20.4)
 */
final class Features {
    final boolean folia;
    final boolean components;
    final boolean lightningCause;
    final boolean damageSource;

    Features(boolean folia, boolean components, boolean lightningCause, boolean damageSource) {
        this.folia = folia;
        this.components = components;
        this.lightningCause = lightningCause;
        this.damageSource = damageSource;
    }

    static Features detect(Server server) {
        ClassLoader loader = server.getClass().getClassLoader();
        Class<?> audience = find("net.kyori.adventure.audience.Audience", loader);
        boolean gson = find("net.kyori.adventure.text.serializer.gson.GsonComponentSerializer",
                loader) != null;
        return new Features(
                find("io.papermc.paper.threadedregions.RegionizedServer", loader) != null,
                gson && audience != null && audience.isAssignableFrom(CommandSender.class),
                has(LightningStrike.class, "getCausingPlayer"),
                has(EntityDamageEvent.class, "getDamageSource"));
    }

    private static Class<?> find(String name, ClassLoader loader) {
        try {
            return Class.forName(name, false, loader);
        } catch (ClassNotFoundException | LinkageError e) {
            return null;
        }
    }

    private static boolean has(Class<?> type, String name) {
        for (Method method : type.getMethods()) {
            if (method.getName().equals(name)) {
                return true;
            }
        }
        return false;
    }
}
