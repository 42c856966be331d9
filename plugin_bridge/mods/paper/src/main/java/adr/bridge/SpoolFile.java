package adr.bridge;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.SecureRandom;
import java.util.logging.Logger;

/** The spool's place on disk: its lock, and how the file is replaced so that a crash loses nothing. */
final class SpoolFile implements AutoCloseable {
    private static final String ALPHABET =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final int ID_LENGTH = 16;

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
            FileLock held = lock.tryLock();
            return held != null;
        } catch (OverlappingFileLockException e) {
            return false;
        } catch (IOException e) {
            log.warning("This disk knows no file locks; take care that no two servers share the folder.");
            return true;
        }
    }

    static String newId() {
        SecureRandom random = new SecureRandom();
        StringBuilder id = new StringBuilder(ID_LENGTH);
        for (int i = 0; i < ID_LENGTH; i++) {
            id.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return id.toString();
    }

    FileChannel channel() throws IOException {
        return Spool.openChannel(path);
    }

    /** Keeps a file that cannot be read, under another name. */
    void setAside() throws IOException {
        if (Files.exists(path) && Files.size(path) > 0) {
            Files.move(path, path.resolveSibling("spool.unreadable." + System.currentTimeMillis()));
        }
    }

    /** Begins a new file beside the old one; {@link #replace} puts it in its place. */
    FileChannel begin(String id, long first) throws IOException {
        Files.deleteIfExists(fresh);
        FileChannel out = Spool.openChannel(fresh);
        write(out, SpoolScan.head(id, first).getBytes(StandardCharsets.US_ASCII));
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
