package adr.bridge;

/** What to show in front of a player's name. Prefix, tier, index and rank may be null. */
public final class Label {
    /** The id; in a line of the leaderboard the name. */
    public final String player;
    public final Text prefix;
    public final String tier;
    /** 1 is the best tier. */
    public final Long index;
    public final long rating;
    public final Long rank;

    Label(String player, Text prefix, String tier, Long index, long rating, Long rank) {
        this.player = player;
        this.prefix = prefix;
        this.tier = tier;
        this.index = index;
        this.rating = rating;
        this.rank = rank;
    }
}
