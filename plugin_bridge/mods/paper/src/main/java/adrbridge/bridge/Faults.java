package adrbridge.bridge;

import java.util.concurrent.CompletionException;

/** Faults of the network in words that fit on a line. */
final class Faults {
    private Faults() {
    }

    static String words(Throwable fault) {
        Throwable deepest = fault;
        while (deepest.getCause() != null && (deepest instanceof CompletionException
                || deepest.getMessage() == null || deepest instanceof java.net.ConnectException
                || deepest instanceof javax.net.ssl.SSLException)) {
            deepest = deepest.getCause();
        }
        String name = deepest.getClass().getSimpleName();
        return deepest.getMessage() == null ? name : name + ": " + deepest.getMessage();
    }
}
