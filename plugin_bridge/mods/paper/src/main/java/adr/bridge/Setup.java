package adr.bridge;

import java.net.URI;
import java.nio.file.Path;

/**
 * What the bridge is told once.
 *
 * @param caFile the certificate authority to trust instead of the usual ones, or null
 * @param spoolBytes most bytes of the spool file
 */
public final class Setup {
    public final URI url;
    public final String token;
    public final Path folder;
    public final Path caFile;
    public final long spoolBytes;
    public final String platform;
    public final String platformVersion;
    public final String modVersion;
    public final Timings timings;

    public Setup(URI url, String token, Path folder, Path caFile, long spoolBytes,
            String platform, String platformVersion, String modVersion, Timings timings) {
        this.url = url;
        this.token = token;
        this.folder = folder;
        this.caFile = caFile;
        this.spoolBytes = spoolBytes;
        this.platform = platform;
        this.platformVersion = platformVersion;
        this.modVersion = modVersion;
        this.timings = timings;
    }

    /**
     * Says what is wrong with address and token in words for an admin; null if nothing is.
     */
    public static String problem(String url, String token) {
        String scheme = null;
        try {
            URI uri = new URI(url.trim());
            scheme = uri.getHost() == null ? null : uri.getScheme();
        } catch (java.net.URISyntaxException e) {
            // Said below, as of any other address that is none.
        }
        if (scheme == null || !scheme.matches("(?i)wss?")) {
            return "url: '" + url + "' is no address such as ws://127.0.0.1:8787/";
        }
        if (token.isBlank()) {
            return "token: is empty; make one with 'adr-bridge server add NAME'";
        }
        if (!token.trim().matches("[\\x21-\\x7e]+")) {
            return "token: has characters that no token has";
        }
        return null;
    }
}
