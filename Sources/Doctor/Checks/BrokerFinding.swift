import Quantities
import Upload

extension BrokerProbe.Outcome {
    /// An unreachable broker is only a warning.
    func finding(on target: ExaminedTarget) -> Finding {
        switch self {
        case .accepted(let span, isFormerVersion: false):
            let time = "\(Int((span.inSeconds * 1000).rounded(.up))) ms"
            return .ok(
                "\(target.name): the broker \(target.host) accepts the connection and a test message, with MQTT 5, in \(time)."
            )
        case .accepted(_, isFormerVersion: true):
            return .warning(
                "\(target.name): the broker \(target.host) speaks only MQTT 3.1.1, so it cannot report that its access rules "
                    + "refuse a record.",
                "Check that the user may publish to the topic, or use a broker with MQTT 5.")
        case .unauthorised(let reason):
            return .warning(
                "\(target.name): \(reason).",
                "Check `username` and the password, or the file that contains the password.")
        case .unpublishable(let reason):
            return .warning(
                "\(target.name): \(reason).",
                "Correct the access rules of the broker for this user, or `topic`. Until then, the records wait.")
        case .failed(let reason):
            var finding = Finding.warning(
                "\(target.name): \(reason).",
                "Check the network, and the host and the port in `url`. Until the broker answers, the records wait.")
            // The reason is a text of the connection, which names this key if the authority is unknown.
            finding.lack = reason.contains("`caFile`") ? .authority : nil
            return finding
        }
    }
}
