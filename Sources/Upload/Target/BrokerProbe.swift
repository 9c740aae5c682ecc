internal import Glibc
package import Quantities

/// Connects to a broker with the user and the certificates of a target, but publishes nothing.
package struct BrokerProbe {
    /// The result of a probe.
    package enum Outcome: Sendable, Hashable {
        /// The broker accepted the connection after this time; `isFormerVersion` is true if the broker speaks only MQTT
        /// 3.1.1.
        case accepted(after: Duration, isFormerVersion: Bool)
        /// The broker rejects the user, or a secret cannot be read, for this reason.
        case unauthorised(String)
        /// The probe could not connect, for this reason.
        case failed(String)
    }

    private let now: () -> Instant

    /// Makes a probe; `now` is the time since boot.
    package init(now: @escaping () -> Instant) { self.now = now }

    /// Tries to connect to the broker of a target, without an effect on the connection of a running trackerd.
    package func reach(_ target: UploadTarget) -> Outcome {
        let timeouts = TransportTimeouts(connect: TargetProbe.timeout)
        let connection = BrokerConnection(target, clientID: target.clientID + "-doctor", timeouts) { nil }
        defer { connection.close() }
        let began = now()
        var progress = connection.begin(at: began)
        while true {
            switch progress {
            case .open: return .accepted(after: now() - began, isFormerVersion: !connection.isV5)
            case .failed(.unauthorised(let reason)): return .unauthorised(reason)
            case .failed(.linkFailed(let reason)), .failed(.retry(let reason, _)): return .failed(reason)
            case .failed(let verdict): return .failed("\(verdict)")
            case .underWay: break
            }
            wait(for: connection.watches)
            progress = connection.advance(at: now())
        }
    }

    private func wait(for watches: [Watch]) {
        var polls = watches.map { watch in
            pollfd(
                fd: watch.descriptor, events: Int16((watch.reads ? POLLIN : 0) | (watch.writes ? POLLOUT : 0)),
                revents: 0)
        }
        poll(&polls, nfds_t(polls.count), 100)
    }
}
