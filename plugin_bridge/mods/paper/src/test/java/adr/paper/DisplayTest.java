package adr.paper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.bukkit.entity.Player;
import org.bukkit.event.player.PlayerJoinEvent;
import org.bukkit.event.player.PlayerQuitEvent;
import org.bukkit.scoreboard.Team;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Labels come from the cache here, as they do while the daemon is away. */
@DisplayName("Labels")
class DisplayTest {
    @TempDir
    Path folder;
    private FakeServer fake;
    private Player ann;

    private void enable(boolean nameTag) throws Exception {
        fake = new FakeServer(folder, "ws://127.0.0.1:1/");
        fake.config.put("name_tag", true);
        ann = fake.player("Ann");
        Files.writeString(folder.resolve("labels.json"), "[{\"type\":\"settings\","
                + "\"combat_window\":15,\"combat_log\":\"kill\",\"tab_list\":true,\"name_tag\":"
                + nameTag + "},{\"type\":\"label\",\"player\":\"" + ann.getUniqueId()
                + "\",\"prefix\":{\"text\":\"HT1 \",\"color\":\"gold\"},\"tier\":\"HT1\","
                + "\"index\":1,\"rating\":1873,\"rank\":1}]");
    }

    @AfterEach
    void disable() {
        fake.plugin.enabled(false);
    }

    @Test
    @DisplayName("stand in the tab list, and are gone when the plugin is")
    void tab() throws Exception {
        enable(false);
        fake.plugin.enabled(true);
        fake.tick();
        assertTrue(ann.getPlayerListName().contains("HT1 "));
        assertTrue(ann.getPlayerListName().contains("gold"));
        assertTrue(fake.teams.isEmpty());
        fake.plugin.enabled(false);
        assertEquals("Ann", ann.getPlayerListName());
    }

    @Test
    @DisplayName("leave a name alone that another plugin has set")
    void foreignName() throws Exception {
        enable(false);
        ann.setPlayerListName("[VIP] Ann");
        fake.plugin.enabled(true);
        fake.tick();
        assertEquals("[VIP] Ann", ann.getPlayerListName());
    }

    @Test
    @DisplayName("stand over heads only when switched on, in short teams of our own")
    void teams() throws Exception {
        enable(true);
        fake.plugin.enabled(true);
        fake.tick();
        assertEquals(1, fake.teams.size());
        Team team = fake.teams.values().iterator().next();
        assertTrue(team.getName().length() <= 16);
        assertTrue(team.getEntries().contains("Ann"));
        fake.call(new PlayerQuitEvent(ann));
        assertTrue(fake.teams.isEmpty());
        fake.call(new PlayerJoinEvent(ann));
        assertEquals(1, fake.teams.size());
        fake.plugin.enabled(false);
        assertTrue(fake.teams.isEmpty());
    }

    @Test
    @DisplayName("never take a player out of another plugin's team")
    void foreignTeam() throws Exception {
        enable(true);
        Team clan = fake.team("clan");
        clan.addEntry("Ann");
        fake.plugin.enabled(true);
        fake.tick();
        assertTrue(clan.getEntries().contains("Ann"));
        fake.plugin.enabled(false);
        assertTrue(clan.getEntries().contains("Ann"));
        assertFalse(fake.teams.isEmpty());
    }

    @Test
    @DisplayName("are switched off by the plugin's own configuration")
    void restricted() throws Exception {
        enable(true);
        fake.config.put("tab_list", false);
        fake.config.put("name_tag", false);
        fake.plugin.enabled(true);
        fake.tick();
        assertEquals("Ann", ann.getPlayerListName());
        assertTrue(fake.teams.isEmpty());
    }
}
