internal import CMosquitto
internal import Formats

/// Why a connection failed or was lost.
struct BrokerFailure {
    let session: OpaquePointer
    let host: String
    let isEncrypted: Bool

    var unreachable: Verdict {
        if let mistake { return .retry(reason: mistake, after: nil) }
        guard cmosquitto_is_hung_up(session) else {
            return .linkFailed(reason: "\(host) is unreachable, or no broker listens there (\(words))")
        }
        return .linkFailed(
            reason: "\(host) closes the connection without an answer; perhaps it does not speak "
                + (isEncrypted
                    ? "MQTT over TLS on this port, or requires a client certificate (`certificateFile`)"
                    : "MQTT without TLS on this port"))
    }

    var broken: Verdict {
        let code = Int(cmosquitto_farewell(session))
        guard code != Int(CMOSQUITTO_SILENT) else {
            return .linkFailed(reason: "the connection to \(host) broke (\(words))")
        }
        let reason = BrokerReason(code: code, isV5: true)
        return .retry(reason: "the broker ends the connection (\(reason.words)\(reason.remedy))", after: nil)
    }

    /// A mistake in the target's or the broker's configuration.
    private var mistake: String? {
        if let certificate { return certificate }
        if cmosquitto_stranger_of(session) == CMOSQUITTO_UNENCRYPTED {
            return "\(host) does not speak TLS on this port; check the port in `url` (usually 8883 for TLS)"
        }
        // OpenSSL reports `PEM lib` for a file that is not PEM or needs a password, and `key values mismatch` for a key
        // that belongs to another certificate.
        if words.contains("PEM lib") || words.contains("key values mismatch") {
            return "`certificateFile` or `keyFile` cannot be used (\(words)); the key must be PEM without a password"
        }
        if cmosquitto_is_distrusted(session) { return "TLS with \(host) fails (\(words))" }
        switch cmosquitto_stranger_of(session) {
        case CMOSQUITTO_TLS: return "\(host) speaks TLS on this port; write `mqtts://` into `url`"
        case CMOSQUITTO_HTTP:
            return "a web server answers on this port of \(host); write the MQTT port into `url` (usually 1883)"
        case CMOSQUITTO_UNKNOWN_PROTOCOL: return "\(host) does not speak MQTT on this port; check the port in `url`"
        default: return cmosquitto_is_nonsense(session) ? "\(words); check the port in `url`, or the broker" : nil
        }
    }

    private var certificate: String? {
        let reason: String
        switch cmosquitto_trust_of(session) {
        case CMOSQUITTO_EXPIRED: reason = "it has expired, or the clock of this computer is wrong"
        case CMOSQUITTO_NOT_YET_VALID: reason = "it is not valid yet, or the clock of this computer is wrong"
        case CMOSQUITTO_SELF_SIGNED: reason = "it is self-signed; write its file into `caFile`"
        case CMOSQUITTO_OTHER_NAME: reason = "it is for another name"
        case CMOSQUITTO_UNKNOWN_AUTHORITY:
            reason = "its authority is unknown; write the authority's file into `caFile`"
        case CMOSQUITTO_CERTIFICATE_WANTED:
            return "\(host) requires a client certificate; set `certificateFile` and `keyFile`"
        case CMOSQUITTO_CERTIFICATE_REFUSED:
            return "\(host) refuses the certificate in `certificateFile` (\(words))"
        default: return nil
        }
        return "the certificate of \(host) is not trusted (\(reason))"
    }

    private var words: String { String(cString: cmosquitto_words(session)) }
}
