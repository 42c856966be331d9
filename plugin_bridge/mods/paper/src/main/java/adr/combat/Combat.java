package adr.combat;

import adr.bridge.Who;
import java.util.HashMap;
import java.util.Map;

/**
 * Who killed whom: the rules, without any game in them.
 *
 * <p>Time comes in as nanoseconds of any clock that only goes forward. All methods may be called
 * from several threads, since on Folia every region has its own.
 */
public final class Combat {
    /** A death comes within the same tick as the damage that caused it; this is generous. */
    private static final long SAME_MOMENT = 1_000_000_000L;

    private static final class State {
        private Blow hit;
        private long hitAt;
        private Blow last;
        private long lastAt;
        private boolean dead;
        /** Who fled and was taken for dead stays so until then. */
        private long deadUntil = Long.MIN_VALUE;
    }

    private final Map<String, State> states = new HashMap<>();
    private long window = 15_000_000_000L;
    private boolean combatLogKills = true;

    /** The daemon's settings: seconds after a hit, and whether leaving within them is a kill. */
    public synchronized void settings(double seconds, boolean leavingKills) {
        window = (long) (seconds * 1e9);
        combatLogKills = leavingKills;
    }

    /**
     * Somebody alive was damaged, really: neither cancelled nor by nothing. A fatal damage comes
     * here too, before its {@link #death}.
     */
    public synchronized void hurt(Who victim, Blow blow, long now) {
        State state = states.computeIfAbsent(victim.id, id -> new State());
        state.dead &= now < state.deadUntil;
        state.last = blow;
        state.lastAt = now;
        if (blow.by != null) {
            state.hit = blow;
            state.hitAt = now;
        }
    }

    /** Somebody died: whose doing that was; null if it was dead already. */
    public synchronized Blow death(Who victim, long now) {
        State state = states.computeIfAbsent(victim.id, id -> new State());
        if (state.dead) {
            return null;
        }
        Blow last = now - state.lastAt <= SAME_MOMENT ? state.last : null;
        Blow hit = recent(state, now);
        state.dead = true;
        state.hit = null;
        state.last = null;
        if (last == null) {
            return Blow.uncounted("other");
        }
        return last.nature && hit != null
                ? Blow.by(hit.by, last.cause, hit.weapon) : last;
    }

    /**
     * Somebody left; null unless that is a kill. If it is, the player counts as dead until it is
     * back: other plugins kill whoever leaves in combat, and that would be a second death.
     */
    public synchronized Blow quit(Who victim, long now) {
        State state = states.remove(victim.id);
        Blow hit = state == null || state.dead ? null : recent(state, now);
        if (hit == null || !combatLogKills) {
            return null;
        }
        State fled = new State();
        fled.dead = true;
        fled.deadUntil = Long.MAX_VALUE;
        states.put(victim.id, fled);
        return Blow.by(hit.by, "combat_log", hit.weapon);
    }

    /**
     * Somebody came back. Who had fled from a fight has died in it already: a second death in that
     * life, within the window, belongs to the same fight and is none.
     */
    public synchronized void back(String player, long now) {
        State state = states.remove(player);
        if (state != null && state.deadUntil == Long.MAX_VALUE) {
            state.deadUntil = now + window;
            states.put(player, state);
        }
    }

    /** A new life, or a leave that is not the player's doing: nobody has a claim. */
    public synchronized void clear(String player) {
        states.remove(player);
    }

    private Blow recent(State state, long now) {
        return state.hit != null && now - state.hitAt <= window ? state.hit : null;
    }
}
