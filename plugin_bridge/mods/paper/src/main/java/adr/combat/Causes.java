package adr.combat;

import java.util.Locale;

/**
 * The server's damage causes in the words of the wire contract.
 *
 * <p>By name, because the server's list grows with the versions: a name that is new here is
 * {@code other}, never an error.
 */
public final class Causes {
    /** No weapon and no fall comes near it; a command deals the largest number there is. */
    private static final double COMMAND_DAMAGE = 1e9;

    private Causes() {
    }

    public static String key(String cause) {
        switch (cause) {
            case "PROJECTILE":
            case "LIGHTNING":
            case "MAGIC":
            case "FALL":
            case "LAVA":
            case "FIRE":
            case "VOID":
            case "DROWNING":
            case "SUFFOCATION":
                return cause.toLowerCase(Locale.ROOT);
            case "ENTITY_ATTACK":
            case "ENTITY_SWEEP_ATTACK":
            case "THORNS":
                return "attack";
            case "BLOCK_EXPLOSION":
            case "ENTITY_EXPLOSION":
                return "explosion";
            case "POISON":
            case "WITHER":
            case "DRAGON_BREATH":
                return "magic";
            case "FLY_INTO_WALL":
                return "fall";
            case "FIRE_TICK":
            case "HOT_FLOOR":
            case "CAMPFIRE":
                return "fire";
            case "CRAMMING":
                return "suffocation";
            default:
                return "other";
        }
    }

    /**
     * Whether it is an admin's {@code /kill}: a cause of its own since 1.20, before that the void
     * with an absurd number; plugins of that kind use a custom cause with the same number.
     */
    public static boolean byCommand(String cause, double damage) {
        return cause.equals("KILL") || cause.equals("SUICIDE")
                || damage >= COMMAND_DAMAGE && (cause.equals("VOID") || cause.equals("CUSTOM"));
    }
}
