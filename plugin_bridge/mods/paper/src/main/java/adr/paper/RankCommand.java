package adr.paper;

import adr.bridge.Bridge;
import adr.bridge.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.bukkit.command.Command;
import org.bukkit.command.CommandSender;
import org.bukkit.command.ConsoleCommandSender;
import org.bukkit.command.RemoteConsoleCommandSender;
import org.bukkit.command.TabExecutor;
import org.bukkit.entity.Player;

/** Passes command lines on to the daemon and its answers back; knows none of the answers. */
final class RankCommand implements TabExecutor {
    private static final List<String> ASKED = List.of("adrbridge.rank", "adrbridge.rank.others",
            "adrbridge.top", "adrbridge.admin");

    private final Bridge bridge;
    private final Schedule schedule;
    private final Chat chat;

    RankCommand(Bridge bridge, Schedule schedule, Chat chat) {
        this.bridge = bridge;
        this.schedule = schedule;
        this.chat = chat;
    }

    @Override
    public boolean onCommand(CommandSender sender, Command command, String label, String[] args) {
        List<String> words = new ArrayList<>();
        words.add(command.getName().toLowerCase(Locale.ROOT));
        words.addAll(List.of(args));
        List<String> permissions = new ArrayList<>();
        for (String permission : ASKED) {
            if (sender.hasPermission(permission)) {
                permissions.add(permission);
            }
        }
        Player player = sender instanceof Player ? (Player) sender : null;
        if (player == null && !(sender instanceof ConsoleCommandSender)
                && !(sender instanceof RemoteConsoleCommandSender)) {
            chat.send(sender, Text.plain("Only players and the console can ask."));
            return true;
        }
        bridge.command(new adr.bridge.Command(player == null ? null : Players.who(player),
                player == null ? null : player.getWorld().getName(), words, permissions),
                lines -> answer(sender, player, lines));
        return true;
    }

    private void answer(CommandSender sender, Player player, List<Text> lines) {
        if (player == null) {
            schedule.server(() -> say(sender.getServer().getConsoleSender(), lines));
        } else {
            schedule.player(player.getUniqueId(), to -> say(to, lines));
        }
    }

    private void say(CommandSender to, List<Text> lines) {
        for (Text line : lines) {
            chat.send(to, line);
        }
    }

    @Override
    public List<String> onTabComplete(CommandSender sender, Command command, String alias,
            String[] args) {
        String name = command.getName();
        boolean rank = name.equals("rank");
        boolean admin = sender.hasPermission("adrbridge.admin");
        boolean top = rank && sender.hasPermission("adrbridge.top");
        String known;
        List<String> words = new ArrayList<>();
        if (args.length != 1) {
            known = top && args.length == 2 && args[0].equalsIgnoreCase("top") ? "--season" : "";
        } else if (name.equals("event")) {
            known = admin ? "join leave status cancel start stop void" : "join leave status";
        } else if (!rank) {
            known = admin ? "exclude help include reload status" : "";
        } else {
            known = sender.hasPermission("adrbridge.rank") ? "events help why" : "";
            known += top ? " top" : "";
            if (sender.hasPermission("adrbridge.rank.others")) {
                for (Player player : sender.getServer().getOnlinePlayers()) {
                    if (!Players.vanished(player) && visible(sender, player)) {
                        words.add(player.getName());
                    }
                }
            }
        }
        words.addAll(List.of(known.split(" ")));
        String begun = args[args.length - 1].toLowerCase(Locale.ROOT);
        words.removeIf(word -> word.isEmpty() || !word.toLowerCase(Locale.ROOT).startsWith(begun));
        return words;
    }

    private static boolean visible(CommandSender sender, Player player) {
        return !(sender instanceof Player viewer) || viewer.canSee(player);
    }
}
