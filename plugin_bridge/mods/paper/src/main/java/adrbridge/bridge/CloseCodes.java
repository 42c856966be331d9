package adrbridge.bridge;

/** What the close codes of the contract mean for an admin, and how soon to dial again. */
final class CloseCodes {
    private CloseCodes() {
    }

    /** Whether only a person can help, so that trying again soon is useless. */
    static boolean slow(int code) {
        return code >= 4000 && code <= 4003;
    }

    static String words(int code, String reason) {
        switch (code) {
            case 1000:
            case 1001:
                return "The daemon has stopped; it is tried again until it is back.";
            case 1009:
                return "The daemon found a frame too large.";
            case 4000:
                return "The daemon does not understand this plugin (" + reason + "): please report"
                        + " this as a bug.";
            case 4001:
                return "Another server has connected with the same token. Give every server its"
                        + " own one with 'adr-bridge server add NAME'.";
            case 4002:
                return "Daemon and plugin are of versions that do not fit together; update both.";
            case 4003:
                return "The token was revoked. Make a new one with 'adr-bridge server add NAME'"
                        + " and put it into config.yml.";
            default:
                return "The daemon closed the connection (" + code + " " + reason + ").";
        }
    }
}
