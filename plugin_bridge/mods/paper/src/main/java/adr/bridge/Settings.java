package adr.bridge;

/** What the admin chose in the daemon. */
public final class Settings {
    /** In seconds. */
    public final double combatWindow;
    /** Whether leaving within the window is a kill. */
    public final boolean combatLogKills;
    public final boolean tabList;
    public final boolean nameTag;

    Settings(double combatWindow, boolean combatLogKills, boolean tabList, boolean nameTag) {
        this.combatWindow = combatWindow;
        this.combatLogKills = combatLogKills;
        this.tabList = tabList;
        this.nameTag = nameTag;
    }
}
