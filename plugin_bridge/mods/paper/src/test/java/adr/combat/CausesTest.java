package adr.combat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A damage cause of the server")
class CausesTest {
    @ParameterizedTest
    @CsvSource({"ENTITY_ATTACK,attack", "ENTITY_SWEEP_ATTACK,attack", "THORNS,attack",
        "PROJECTILE,projectile", "ENTITY_EXPLOSION,explosion", "BLOCK_EXPLOSION,explosion",
        "LIGHTNING,lightning", "MAGIC,magic", "WITHER,magic", "FALL,fall", "FLY_INTO_WALL,fall",
        "LAVA,lava", "FIRE,fire", "FIRE_TICK,fire", "HOT_FLOOR,fire", "CAMPFIRE,fire",
        "VOID,void", "DROWNING,drowning", "SUFFOCATION,suffocation", "CRAMMING,suffocation",
        "STARVATION,other", "A_CAUSE_OF_2031,other"})
    @DisplayName("has a name in the contract")
    void keys(String cause, String key) {
        assertEquals(key, Causes.key(cause));
    }

    @Test
    @DisplayName("of an admin's command is told from the void by its number")
    void commands() {
        assertTrue(Causes.byCommand("KILL", 1));
        assertTrue(Causes.byCommand("SUICIDE", 1));
        assertTrue(Causes.byCommand("VOID", Float.MAX_VALUE));
        assertTrue(Causes.byCommand("CUSTOM", Float.MAX_VALUE));
        assertFalse(Causes.byCommand("VOID", 4));
        assertFalse(Causes.byCommand("FALL", Float.MAX_VALUE));
    }
}
