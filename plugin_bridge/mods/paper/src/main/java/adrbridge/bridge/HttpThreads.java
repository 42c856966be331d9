package adrbridge.bridge;

import java.io.IOException;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The HTTP client and its threads: all daemon threads, gone when the bridge is stopped.
 *
 * <p>Before Java 21 a client cannot be shut down; its own selector thread ends by itself some
 * seconds after the client is no longer reachable. From 21 on it is told to.
 */
final class HttpThreads {
    private final ExecutorService pool;
    private HttpClient client;

    HttpThreads() {
        ThreadPoolExecutor made = new ThreadPoolExecutor(2, 2, 5, TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "adr-bridge-http");
                    thread.setDaemon(true);
                    return thread;
                });
        made.allowCoreThreadTimeOut(true);
        pool = made;
    }

    HttpClient client(Setup setup) throws IOException {
        HttpClient.Builder builder = HttpClient.newBuilder().executor(pool)
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofMillis(setup.timings().connect()));
        if (setup.caFile() != null) {
            builder.sslContext(Tls.trusting(setup.caFile()));
        }
        client = builder.build();
        return client;
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
