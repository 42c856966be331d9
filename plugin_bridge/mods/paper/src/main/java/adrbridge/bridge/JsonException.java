package adrbridge.bridge;

/** The text is not JSON, or breaks one of the limits of {@link JsonReader}. */
public final class JsonException extends RuntimeException {
    private static final long serialVersionUID = 1;

    JsonException(String message) {
        super(message, null, false, false);
    }
}
