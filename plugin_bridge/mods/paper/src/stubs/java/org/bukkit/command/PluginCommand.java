package org.bukkit.command;

public final class PluginCommand extends Command {
    private CommandExecutor executor;
    private TabCompleter completer;

    /** Not as on a server; for the tests. */
    public PluginCommand(String name) {
        super(name);
    }

    public void setExecutor(CommandExecutor executor) {
        this.executor = executor;
    }

    public CommandExecutor getExecutor() {
        return executor;
    }

    public void setTabCompleter(TabCompleter completer) {
        this.completer = completer;
    }

    public TabCompleter getTabCompleter() {
        return completer;
    }
}
