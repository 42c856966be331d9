package adr.paper;

import adr.bridge.Labels;
import adr.bridge.Placeholders;
import me.clip.placeholderapi.expansion.PlaceholderExpansion;
import org.bukkit.OfflinePlayer;

/** The placeholders of PlaceholderAPI. Loaded only where that plugin is. */
public final class Expansion extends PlaceholderExpansion {
    private final Labels labels;
    private final String version;

    private Expansion(Labels labels, String version) {
        this.labels = labels;
        this.version = version;
    }

    /** Registers the placeholders; the answer takes them away again. */
    static Runnable register(Labels labels, String version) {
        Expansion expansion = new Expansion(labels, version);
        expansion.register();
        return expansion::unregister;
    }

    @Override
    public String getIdentifier() {
        return "adr";
    }

    @Override
    public String getAuthor() {
        return "adr-bridge";
    }

    @Override
    public String getVersion() {
        return version;
    }

    /** Stays when PlaceholderAPI reloads: the plugin registers only once. */
    @Override
    public boolean persist() {
        return true;
    }

    @Override
    public String onRequest(OfflinePlayer player, String params) {
        return Placeholders.value(labels,
                player == null ? null : player.getUniqueId().toString(), params);
    }
}
