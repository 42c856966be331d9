package adr.combat;

import adr.bridge.Who;

/** One damage to a player, or its death, as far as it matters who did it. */
public final class Blow {
    /** The player who did it; null if nobody can be credited. */
    public final Who by;
    /** Fall, fire, lava, void and the like: whoever hit last is behind it. */
    public final boolean nature;
    /** How, as a key of the wire contract. */
    public final String cause;
    /** The item in the hand, or null. */
    public final String weapon;

    private Blow(Who by, boolean nature, String cause, String weapon) {
        this.by = by;
        this.nature = nature;
        this.cause = cause;
        this.weapon = weapon;
    }

    /** By a player; {@code weapon} may be null. */
    public static Blow by(Who player, String cause, String weapon) {
        return new Blow(player, false, cause, weapon);
    }

    /** By nobody. */
    public static Blow nature(String cause) {
        return new Blow(null, true, cause, null);
    }

    /** By somebody who does not count: the victim, a mob, an NPC, an admin's command. */
    public static Blow uncounted(String cause) {
        return new Blow(null, false, cause, null);
    }

    /** The same blow as it looks to one who was struck: one's own doing does not count. */
    public Blow seenBy(String victim) {
        return by != null && by.id.equals(victim) ? uncounted(cause) : this;
    }
}
