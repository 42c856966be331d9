package adr.bridge;

/** The text is not JSON, or not what the contract says: the peer's fault, never ours. */
final class JsonException extends RuntimeException {
    private static final long serialVersionUID = 1;

    JsonException(String message) {
        super(message, null, false, false);
    }
}
