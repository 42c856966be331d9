package adrbridge.bridge;

/** Where the bridge tells the admin what it does; called from any thread. */
public interface Log {
    void info(String line);

    void warn(String line);

    /** A fault of ours: with its trace, so that it can be reported. */
    void bug(String line, Throwable fault);
}
