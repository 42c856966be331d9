package adrbridge.bridge;

/** What this mod says about itself in {@code hello}. */
public record Identity(String platform, String platformVersion, String modVersion) {
}
