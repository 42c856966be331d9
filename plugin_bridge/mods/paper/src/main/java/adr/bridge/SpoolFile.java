package adr.bridge;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;
import java.util.logging.Logger;

/** The spool's place on disk: its lock, and how the file is replaced so that a crash loses nothing. */
final class SpoolFile implements AutoCloseable {
    private final Path path;
    private final Path fresh;
    private final FileChannel lock;
    private final Logger log;

    private SpoolFile(Path folder, FileChannel lock, Logger log) {
        this.log = log;
        this.path = folder.resolve("spool.log");
        this.fresh = folder.resolve("spool.new");
        this.lock = lock;
    }

    static SpoolFile open(Path folder, Logger log) throws IOException {
        Files.createDirectories(folder);
        FileChannel lock = Spool.openChannel(folder.resolve("spool.lock"));
        if (!locked(lock, log)) {
            lock.close();
            throw new IOException("another server process uses the folder " + folder);
        }
        return new SpoolFile(folder, lock, log);
    }

    private static boolean locked(FileChannel lock, Logger log) {
        try {
            return lock.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        } catch (IOException e) {
            log.warning("This disk knows no file locks; take care that no two servers share the folder.");
            return true;
        }
    }

    static String newId() {
        return UUID.randomUUID().toString();
    }

    FileChannel channel() throws IOException {
        return Spool.openChannel(path);
    }

    /** The head that was noted last, in case that of the file is damaged; null if there is none. */
    SpoolLine noted() throws IOException {
        SpoolReader lines = new SpoolReader(lock, 0, lock.size());
        return lines.next() ? lines.event() : null;
    }

    /** Keeps a copy of the head: under another name the daemon would take all events for new. */
    void note(SpoolLine head) throws IOException {
        lock.truncate(0);
        lock.write(ByteBuffer.wrap(head.encode()), 0);
    }

    /** Keeps a file that cannot be read, under another name. */
    void setAside() throws IOException {
        if (Files.size(path) > 0) {
            Path aside = path.resolveSibling("spool.unreadable." + System.currentTimeMillis());
            Files.move(path, aside);
            log.severe("The spool is damaged beyond telling which of its kills are rated already; none"
                    + " is sent again. It is kept as " + aside + ". Check the disk, and put back a"
                    + " backup of spool.log, if there is one, while the server is stopped.");
        }
    }

    /** Begins a new file beside the old one; {@link #replace} puts it in its place. */
    FileChannel begin(String id, long first) throws IOException {
        Files.deleteIfExists(fresh);
        FileChannel out = Spool.openChannel(fresh);
        write(out, SpoolLine.head(id, first).encode());
        return out;
    }

    static void write(FileChannel out, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            out.write(buffer);
        }
    }

    /** The new file takes the place of the old one: at every moment one of them is there, whole. */
    FileChannel replace(FileChannel old, FileChannel out) throws IOException {
        out.force(true);
        out.close();
        old.close();
        try {
            Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            log.warning("The spool stays as it is: " + Words.of(e));
        }
        return channel();
    }

    @Override
    public void close() throws IOException {
        lock.close();
    }
}
