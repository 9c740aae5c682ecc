internal import CCurl
internal import Glibc
package import Quantities

/// Connects to the server of a target, with TLS, and sends no data.
package struct TargetProbe {
    /// The result of a probe.
    package enum Outcome: Sendable, Hashable {
        /// The probe established the connection after this time.
        case reached(after: Duration)
        /// The server's name has no address.
        case noAddress
        /// The server cannot be reached.
        case unreachable
        /// The server did not answer in time.
        case timedOut
        /// The probe does not trust the certificate, for this reason.
        case untrusted(String)
        /// The connection was lost, for this reason.
        case broken(String)
    }

    /// The time limit; enough for a server on a mobile network.
    package static let timeout: Duration = .seconds(10)
    private static let longestAnswer = 4096

    private let now: () -> Instant

    /// Makes a probe; `now` is the time since boot.
    package init(now: @escaping () -> Instant) { self.now = now }

    /// Tries to connect to the server of a target.
    package func reach(_ target: UploadTarget) -> Outcome {
        guard let client = ccurl_open(Self.longestAnswer) else { return .broken("out of memory") }
        defer { ccurl_close(client) }
        let began = now()
        guard start(client, target) else { return .broken("libcurl rejects the address") }
        while !ccurl_advance(client) {
            guard now() - began <= Self.timeout else { return .timedOut }
            wait(for: client)
        }
        return outcome(of: client, after: now() - began)
    }

    private func start(_ client: OpaquePointer, _ target: UploadTarget) -> Bool {
        let address = target.address
        let isSecure = target.transport.secureSchemes.contains(address.scheme)
        let host = address.host.contains(":") ? "[\(address.host)]" : address.host
        // libcurl only connects here, so HTTP may represent any protocol.
        let port = address.port ?? Self.port(of: target.transport.kind, isSecure: isSecure)
        let url = "\(isSecure ? "https" : "http")://\(host):\(port)"
        guard ccurl_begin(client, url) else { return false }
        if let file = target.caFile, !ccurl_trust(client, file) { return false }
        if let proxy = target.proxy, !ccurl_proxy(client, proxy.revealed) { return false }
        return ccurl_connect(client, Int(Self.timeout.inSeconds * 1000))
    }

    private static func port(of kind: TransportKind, isSecure: Bool) -> Int {
        switch kind {
        case .http: isSecure ? 443 : 80
        case .mqtt: isSecure ? 8883 : 1883
        }
    }

    private func wait(for client: OpaquePointer) {
        var sockets = [ccurl_socket](repeating: ccurl_socket(), count: 8)
        let count = Int(ccurl_watched(client, &sockets, Int32(sockets.count)))
        var polls = sockets.prefix(count).map { socket in
            pollfd(
                fd: socket.fd, events: Int16((socket.reads ? POLLIN : 0) | (socket.writes ? POLLOUT : 0)), revents: 0)
        }
        // Without a socket, libcurl resolves a name on a thread of its own; its manual recommends another call soon.
        poll(&polls, nfds_t(polls.count), 50)
    }

    private func outcome(of client: OpaquePointer, after span: Duration) -> Outcome {
        let words = String(cString: ccurl_words(client))
        switch ccurl_outcome(client) {
        case CCURL_ANSWERED: return .reached(after: span)
        case CCURL_NO_NAME: return .noAddress
        case CCURL_NO_CONNECTION: return .unreachable
        case CCURL_TIMED_OUT: return .timedOut
        case CCURL_DISTRUSTED: return .untrusted(words)
        default: return .broken(words)
        }
    }
}
