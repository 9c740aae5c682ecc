import Quantities
import Upload

extension Check {
    /// Whether the servers can be reached.
    static let targets = Check("targets") { facts in facts.targets.map(judge) }

    /// A server that cannot be reached is no fault of the tracker: it keeps what it records.
    private static func judge(_ target: ExaminedTarget) -> Finding {
        let host = target.host
        switch target.facts {
        case .reached(let span):
            return .ok("\(target.name): \(host) was reached within \(Int((span.inSeconds * 1000).rounded(.up))) ms.")
        case .noAddress:
            return .warning(
                "\(target.name): \(host) has no address.",
                "Check the spelling, and the network: `ip route` should show a default.")
        case .unreachable:
            return .warning(
                "\(target.name): \(host) cannot be reached, or nothing listens there.",
                "Check the network, the port in `url`, and whether the server runs.")
        case .timedOut:
            return .warning(
                "\(target.name): \(host) does not answer in time.", "Check the network and the server's firewall.")
        case .untrusted(let reason):
            return .warning(
                "\(target.name): the certificate of \(host) is not to be trusted (\(reason)).",
                "Check the clock, the name in `url`, and name the server's own authority as `caFile`.")
        case .broken(let reason):
            return .warning(
                "\(target.name): the connection to \(host) broke (\(reason)).",
                "Check that port and scheme belong together.")
        }
    }
}
