package adr.bridge;

import java.net.ConnectException;
import java.nio.channels.UnresolvedAddressException;
import javax.net.ssl.SSLException;

/** What went wrong on the network, in words for an admin. */
final class Words {
    private Words() {
    }

    /** A fault on one line. */
    static String of(Throwable fault) {
        for (Throwable at = fault; at != null; at = at.getCause()) {
            if (at instanceof UnresolvedAddressException) {
                return "no such host";
            }
        }
        if (fault instanceof ConnectException) {
            return "nothing answers there";
        }
        if (fault instanceof SSLException) {
            return "its certificate is not accepted, see ca_file: " + fault.getMessage();
        }
        String text = fault.getMessage();
        return fault.getClass().getSimpleName() + (text == null ? "" : ": " + text);
    }

    /** Whether only a person can help after this close code, so that dialling soon is useless. */
    static boolean needsPerson(int code) {
        return code >= 4000 && code <= 4003;
    }

    /** A close code of the contract. */
    static String of(int code, String reason) {
        switch (code) {
            case 1000:
            case 1001:
                return "The daemon has stopped; it is tried again until it is back.";
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
