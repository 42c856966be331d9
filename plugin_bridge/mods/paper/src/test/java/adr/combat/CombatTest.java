package adr.combat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import adr.bridge.Who;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Who killed whom")
class CombatTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Who ANN = new Who("a", "Ann", null);
    private static final Who BOB = new Who("b", "Bob", null);
    private static final Who CAT = new Who("c", "Cat", null);

    private final Combat combat = new Combat();
    private long now = 1000 * SECOND;

    private static void is(Blow blow, Who killer, String cause, String weapon) {
        assertEquals(killer, blow.by);
        assertEquals(cause, blow.cause);
        assertEquals(weapon, blow.weapon);
    }

    private void hit(Who victim, Who by, String weapon) {
        combat.hurt(victim, Blow.by(by, "attack", weapon), now);
    }

    private Blow dies(Who victim, Blow last) {
        combat.hurt(victim, last, now);
        return combat.death(victim, now + 1);
    }

    @Test
    @DisplayName("a fatal hit is the kill of the one who hit")
    void direct() {
        hit(BOB, CAT, "bow");
        hit(BOB, ANN, "diamond_sword");
        is(combat.death(BOB, now), ANN, "attack", "diamond_sword");
    }

    @Test
    @DisplayName("a fall within the window is the kill of the one who hit last")
    void fall() {
        hit(BOB, CAT, "bow");
        hit(BOB, ANN, "stick");
        now += 15 * SECOND - 2;
        is(dies(BOB, Blow.nature("fall")), ANN, "fall", "stick");
    }

    @Test
    @DisplayName("a fall after the window is nobody's")
    void late() {
        hit(BOB, ANN, "stick");
        now += 15 * SECOND + 1;
        is(dies(BOB, Blow.nature("fall")), null, "fall", null);
    }

    @Test
    @DisplayName("the window is the daemon's")
    void window() {
        combat.settings(60, true);
        hit(BOB, ANN, "stick");
        now += 59 * SECOND;
        is(dies(BOB, Blow.nature("void")), ANN, "void", "stick");
    }

    @Test
    @DisplayName("a mob, oneself or a command is never a kill, however fresh the last hit")
    void uncounted() {
        hit(BOB, ANN, "stick");
        is(dies(BOB, Blow.uncounted("explosion")), null, "explosion", null);
    }

    @Test
    @DisplayName("a death without any damage is taken for a command")
    void noDamage() {
        hit(BOB, ANN, "stick");
        now += 2 * SECOND;
        is(combat.death(BOB, now), null, "other", null);
    }

    @Test
    @DisplayName("an own arrow is nobody's kill")
    void self() {
        is(dies(BOB, Blow.by(BOB, "projectile", "bow").seenBy("b")), null, "projectile", null);
        assertEquals(ANN, Blow.by(ANN, "projectile", "bow").seenBy("b").by);
    }

    @Test
    @DisplayName("a death clears the record")
    void cleared() {
        hit(BOB, ANN, "stick");
        assertNotNull(combat.death(BOB, now));
        combat.clear("b");
        now += SECOND;
        is(dies(BOB, Blow.nature("fall")), null, "fall", null);
    }

    @Test
    @DisplayName("a second death without a new life is none")
    void twice() {
        hit(BOB, ANN, "stick");
        assertNotNull(combat.death(BOB, now));
        assertNull(combat.death(BOB, now + SECOND));
        combat.clear("b");
        hit(BOB, ANN, "stick");
        assertNotNull(combat.death(BOB, now + SECOND));
    }

    @Test
    @DisplayName("being hurt is a sign of life, whatever a plugin did to the respawn")
    void alive() {
        combat.death(BOB, now);
        now += 5 * SECOND;
        hit(BOB, ANN, "stick");
        is(combat.death(BOB, now), ANN, "attack", "stick");
    }

    @Test
    @DisplayName("leaving within the window is a kill, once")
    void quits() {
        hit(BOB, ANN, "stick");
        now += 14 * SECOND;
        is(combat.quit(BOB, now), ANN, "combat_log", "stick");
        assertNull(combat.death(BOB, now), "killed by another plugin for leaving");
        assertNull(combat.quit(BOB, now));
        combat.clear("b");
        assertNotNull(combat.death(BOB, now));
    }

    @Test
    @DisplayName("who fled and is killed on return, as a stand-in was meanwhile, died once")
    void standIn() {
        hit(BOB, ANN, "stick");
        is(combat.quit(BOB, now), ANN, "combat_log", "stick");
        now += 600 * SECOND;
        combat.back("b", now);
        hit(BOB, CAT, "bow");
        assertNull(combat.death(BOB, now), "the same fight goes on");
        combat.clear("b");
        hit(BOB, CAT, "bow");
        assertNotNull(combat.death(BOB, now), "a life of its own");
        combat.clear("b");
        hit(BOB, ANN, "stick");
        combat.quit(BOB, now);
        combat.back("b", now);
        now += 16 * SECOND;
        hit(BOB, CAT, "bow");
        is(combat.death(BOB, now), CAT, "attack", "bow");
    }

    @Test
    @DisplayName("a fall past the 100 ticks that the game remembers, and inside the window, is a kill")
    void pastTheGamesMemory() {
        hit(BOB, ANN, "bow");
        now += 101 * SECOND / 20;
        is(dies(BOB, Blow.nature("void")), ANN, "void", "bow");
    }

    @Test
    @DisplayName("leaving is no kill after the window, when dead, when cleared or when switched off")
    void quitsInPeace() {
        hit(BOB, ANN, "stick");
        assertNull(combat.quit(BOB, now + 16 * SECOND));
        hit(BOB, ANN, "stick");
        combat.death(BOB, now);
        assertNull(combat.quit(BOB, now + SECOND));
        hit(BOB, ANN, "stick");
        combat.clear("b");
        assertNull(combat.quit(BOB, now + SECOND));
        combat.settings(15, false);
        hit(BOB, ANN, "stick");
        assertNull(combat.quit(BOB, now + SECOND));
        assertNull(combat.quit(CAT, now));
    }

    @Test
    @DisplayName("a totem leaves the claim of the one who hit")
    void totem() {
        hit(BOB, ANN, "diamond_sword");
        now += 3 * SECOND;
        is(dies(BOB, Blow.nature("fire")), ANN, "fire", "diamond_sword");
    }
}
