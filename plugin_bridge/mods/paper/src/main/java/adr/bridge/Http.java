package adr.bridge;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * The HTTP client, whom it trusts, and its threads: all daemon threads, gone when the bridge is
 * stopped.
 *
 * <p>Before Java 21 a client cannot be shut down; its own selector thread ends by itself some
 * seconds after the client is no longer reachable. From 21 on it is told to.
 */
final class Http {
    private final ExecutorService pool =
            Executors.newCachedThreadPool(task -> Loop.thread(task, "adr-bridge-http"));
    private HttpClient client;

    HttpClient client(Setup setup) throws IOException {
        HttpClient.Builder builder = HttpClient.newBuilder().executor(pool)
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofMillis(setup.timings.connect));
        if (setup.caFile != null) {
            builder.sslContext(trusting(setup.caFile));
        }
        client = builder.build();
        return client;
    }

    /** Trusts exactly the certificates in a PEM file. */
    private static SSLContext trusting(Path pem) throws IOException {
        try (InputStream in = Files.newInputStream(pem)) {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (Certificate certificate
                    : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("ca" + store.size(), certificate);
            }
            if (store.size() == 0) {
                throw new IOException("no certificate in it");
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(
                    TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException(e);
        }
    }

    void shutdown() {
        try {
            if (client != null) {
                HttpClient.class.getMethod("shutdownNow").invoke(client);
            }
        } catch (ReflectiveOperationException e) {
            // Java 17 to 20: nothing to call.
        }
        client = null;
        pool.shutdown();
    }
}
