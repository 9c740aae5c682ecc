import Formats
import Quantities
import Upload

extension Check {
    package static let targets = Check("targets") { facts in facts.targets.map(\.finding) }
}

extension ExaminedTarget {
    /// An unreachable server is only a warning: the records wait on the disk.
    var finding: Finding {
        switch facts {
        case .answered(let answer, let span):
            return finding(answer, after: span)
        case .noAddress:
            return .warning(
                "\(name): trackerd finds no address for \(host).",
                "Check the spelling, and the network: `ip route` should show a default route.")
        case .unreachable:
            return .warning(
                "\(name): \(host) is unreachable, or no server listens on this port.",
                "Check the network and the port in `url`. Check that the server is running.")
        case .proxy(let reason):
            return .warning(
                "\(name): \(reason).", "Check the network, and the address, the user and the password in `proxy`.")
        case .timedOut:
            return .warning("\(name): \(host) does not answer in time.", "Check the network and the server's firewall.")
        case .untrusted(let reason):
            return .warning(
                "\(name): the certificate of \(host) is not trusted (\(reason)).",
                "Check the clock and the name in `url`; if the server has its own certificate authority, set `caFile`.",
                lacking: .authority)
        case .unidentified(let reason):
            return .warning("\(name): \(reason).", "Set `certificateFile` and `keyFile`, or correct the secret.")
        case .broken(let reason):
            return .warning(
                "\(name): the connection to \(host) broke (\(reason)).", "Check that the port matches the scheme.")
        case .broker(let outcome):
            return finding(outcome)
        }
    }

    private func finding(_ answer: ProbeAnswer, after span: Duration) -> Finding {
        switch answer {
        case .plausible(let status):
            return .ok(
                "\(name): \(host) answered a GET with status \(status) in \(milliseconds(span)) ms; only an upload shows "
                    + "whether the server accepts records.")
        case .unauthorised(let status):
            return .warning(
                "\(name): \(host) rejects the credentials (status \(status)).",
                "Check `username` and the password, or `token`; for status 407, check the credentials in `proxy`.",
                lacking: status == 401 ? .credentials : nil)
        case .forbidden:
            return .warning(
                "\(name): \(host) forbids access (status 403).",
                "Check the credentials and the path in `url`. Check that no firewall blocks this network.")
        case .redirect(let address, let status):
            let place = address.map { "to \($0)" } ?? "to an unknown address"
            return .warning(
                "\(name): \(host) redirects \(place) (status \(status)).", "Write the new address into `url`.")
        case .notFound(let status):
            return .warning(
                "\(name): \(host) has no page at this path (status \(status)).",
                "Check the path in `url`; for the OwnTracks Recorder, the path is `/pub`. Some servers answer a GET with this "
                    + "status, but accept records.")
        case .wantsTLS:
            return .warning("\(name): \(host) expects TLS on this port.", "Use https:// in `url`.")
        case .wantsCertificate:
            return .warning("\(name): \(host) expects a client certificate.", "Set `certificateFile` and `keyFile`.")
        case .unknownWebhook:
            return .warning(
                "\(name): \(host) answers like a Home Assistant server without such a webhook.",
                "Check the webhook's ID in `url`; if the ID is wrong, Home Assistant answers 200 but drops the records."
            )
        case .page(let status):
            return .warning(
                "\(name): \(host) answers with a web page (status \(status)).",
                "Check the path in `url`. The log-in page of a network answers like this too. If your server answers an "
                    + "upload with a page, set `answer: any`.")
        case .outOfOrder(let status):
            return .warning(
                "\(name): \(host) reports a server error (status \(status)).", "Check the server, or try again later.")
        }
    }

    private func finding(_ outcome: BrokerProbe.Outcome) -> Finding {
        switch outcome {
        case .accepted(let span, isFormerVersion: false):
            return .ok(
                "\(name): the broker \(host) accepts the connection and a test message, with MQTT 5, in "
                    + "\(milliseconds(span)) ms.")
        case .accepted(_, isFormerVersion: true):
            return .warning(
                "\(name): the broker \(host) speaks only MQTT 3.1.1, so it cannot report that its access rules "
                    + "refuse a record.",
                "Check that the user may publish to the topic, or use a broker with MQTT 5.")
        case .unauthorised(let reason):
            return .warning(
                "\(name): \(reason).", "Check `username` and the password, or the file that contains the password.")
        case .unpublishable(let reason):
            return .warning(
                "\(name): \(reason).",
                "Correct `topic`, or the broker's access rules for this user. Until then, the records wait.")
        case .failed(let reason):
            // The connection's reason names this key if the broker's authority is unknown.
            return .warning(
                "\(name): \(reason).",
                "Check the network, and the host and the port in `url`. Until the broker answers, the records wait.",
                lacking: reason.contains("`caFile`") ? .authority : nil)
        }
    }

    private func milliseconds(_ span: Duration) -> Int { Int((span.inSeconds * 1000).rounded(.up)) }
}
