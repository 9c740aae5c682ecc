internal import CMosquitto
internal import Glibc
package import Quantities

/// Publishes payloads over MQTT 3.1.1 with QoS 1 (libmosquitto); a payload is delivered when its PUBACK arrives.
///
/// It connects when there is a payload to send, and then remains connected. If the connection is lost, all payloads in flight count
/// as not delivered. `Delivery`, not the library, decides what to send again and when.
package final class MQTT: Transport {
    private enum State {
        case closed
        /// A thread resolves the name and writes one byte to the pipe when it has finished.
        case resolving(Int32, since: Instant)
        case connecting(OpaquePointer, since: Instant)
        case open(OpaquePointer)
    }

    private let target: UploadTarget
    private let clocks: UploadClocks
    private let timeouts: TransportTimeouts
    private var state = State.closed
    private var waiting: [(id: Int, payload: WirePayload)] = []
    private var published: [(id: Int, message: Int32, at: Instant)] = []
    private var outcomes: [BatchOutcome] = []
    private var nextPing = Instant.boot
    private var calledAt = Instant.boot

    /// Makes a transport for the target; connects when there is a payload to send.
    package init(_ target: UploadTarget, _ clocks: UploadClocks, _ timeouts: TransportTimeouts) {
        self.target = target
        self.clocks = clocks
        self.timeouts = timeouts
    }

    deinit { drop() }

    /// The socket, or the pipe that reports the end of the name resolution.
    package var watches: [Watch] {
        switch state {
        case .closed: []
        case .resolving(let pipe, _): [Watch(descriptor: pipe, reads: true, writes: false)]
        case .connecting(let session, _), .open(let session):
            [Watch(descriptor: cmosquitto_socket(session), reads: true, writes: cmosquitto_wants_write(session))]
        }
    }

    /// When a timeout or a ping is due.
    package var deadline: Instant? {
        guard outcomes.isEmpty else { return calledAt }
        switch state {
        case .closed: return waiting.isEmpty ? nil : calledAt
        case .resolving(_, let since), .connecting(_, let since): return since + timeouts.connect
        case .open: return min(nextPing, published.first.map { $0.at + timeouts.answer } ?? nextPing)
        }
    }

    /// Publishes at once if connected; otherwise connects first.
    package func send(_ payload: WirePayload, as id: Int, at now: Instant) {
        calledAt = now
        waiting.append((id, payload))
        switch state {
        case .closed: resolve(at: now)
        case .resolving, .connecting: break
        case .open(let session): publish(over: session, at: now)
        }
    }

    /// Reads, writes and pings; ends payloads and connections that have timed out.
    package func advance(at now: Instant) -> [BatchOutcome] {
        calledAt = now
        switch state {
        case .closed: if !waiting.isEmpty { resolve(at: now) }
        case .resolving(let pipe, let since): continueResolving(pipe, since: since, at: now)
        case .connecting(let session, let since): continueConnecting(session, since: since, at: now)
        case .open(let session): continueSession(session, at: now)
        }
        defer { outcomes = [] }
        return outcomes
    }

    /// Disconnects, so that the broker does not publish the will.
    package func close() {
        drop()
        waiting = []
        published = []
    }
}

// MARK: - Connecting

extension MQTT {
    private var host: String { target.address.host }
    private var isEncrypted: Bool { target.transport.secureSchemes.contains(target.address.scheme) }

    private func resolve(at now: Instant) {
        let pipe = cmosquitto_lookup(host)
        guard pipe >= 0 else { return fail("out of memory") }
        state = .resolving(pipe, since: now)
    }

    private func continueResolving(_ pipe: Int32, since: Instant, at now: Instant) {
        var answer: UInt8 = 0
        let count = read(pipe, &answer, 1)
        if count < 0, errno == EAGAIN || errno == EINTR {
            if now - since >= timeouts.connect { fail("the name \(host) is not resolved in time (no network?)") }
            return
        }
        drop()
        guard count == 1, answer == 1 else { return fail("\(host) has no address (no network, or a wrong name)") }
        connect(since: since)
    }

    private func connect(since: Instant) {
        let clientID = "trackerd-\(target.user)-\(target.device)".lowercased()
        guard let session = cmosquitto_open(clientID) else { return fail("out of memory") }
        state = .connecting(session, since: since)
        // The library resolves the name once more; by now the answer is cached.
        let port = target.address.port ?? (isEncrypted ? 8883 : 1883)
        let hasBegun =
            prepare(session)
            && cmosquitto_connect(session, host, Int32(port), Int32(timeouts.keepAlive.components.seconds))
        guard hasBegun else { return fail(unreachable(session)) }
    }

    private func prepare(_ session: OpaquePointer) -> Bool {
        if let login = target.access.login, let password = try? login.password.read() {
            guard cmosquitto_login(session, login.username, password.revealed) else { return false }
        }
        if isEncrypted {
            guard cmosquitto_trust(session, target.access.caFile) else { return false }
        }
        guard let will = target.format.will(for: target, connectedAt: clocks.utc()) else { return true }
        return cmosquitto_will(session, will.topic, will.body, Int32(will.body.count))
    }

    private func continueConnecting(_ session: OpaquePointer, since: Instant, at now: Instant) {
        let isConnected = cmosquitto_advance(session)
        switch cmosquitto_welcome(session) {
        case CMOSQUITTO_WELCOME where isConnected:
            state = .open(session)
            nextPing = now + pingInterval
            publish(over: session, at: now)
        case CMOSQUITTO_UNAUTHORISED:
            fail(.unauthorised(reason: "the broker rejects user and password"))
        case CMOSQUITTO_TURNED_AWAY:
            fail("the broker refuses the connection (\(errorText(session)))")
        default:
            if !isConnected {
                fail(unreachable(session))
            } else if now - since >= timeouts.connect {
                fail("\(host) does not answer in time")
            }
        }
    }

    private func unreachable(_ session: OpaquePointer) -> String {
        if cmosquitto_is_distrusted(session) { return "TLS with \(host) fails (\(errorText(session)))" }
        guard cmosquitto_is_hung_up(session) else {
            return "\(host) is unreachable, or no broker listens there (\(errorText(session)))"
        }
        return "\(host) closes the connection without an answer; perhaps it does not speak "
            + (isEncrypted ? "MQTT over TLS" : "MQTT without TLS")
    }

    private func errorText(_ session: OpaquePointer) -> String { String(cString: cmosquitto_words(session)) }
}

// MARK: - Publishing

extension MQTT {
    /// The library counts whole seconds, and sends a ping only after the interval has ended.
    private var pingInterval: Duration { timeouts.keepAlive + .seconds(1) }

    private func continueSession(_ session: OpaquePointer, at now: Instant) {
        var isConnected = cmosquitto_advance(session)
        takeAcknowledgements(from: session)
        if isConnected, now >= nextPing {
            isConnected = cmosquitto_keep_alive(session)
            nextPing = now + pingInterval
        }
        if !isConnected {
            fail("the connection to \(host) broke (\(errorText(session)))")
        } else if let oldest = published.first, now - oldest.at >= timeouts.answer {
            fail("\(host) does not answer in time")
        }
    }

    private func takeAcknowledgements(from session: OpaquePointer) {
        var messages = [Int32](repeating: 0, count: 64)
        let count = Int(cmosquitto_acknowledged(session, &messages, Int32(messages.count)))
        for message in messages.prefix(count) {
            guard let index = published.firstIndex(where: { $0.message == message }) else { continue }
            outcomes.append(BatchOutcome(id: published.remove(at: index).id, verdict: .delivered))
        }
    }

    private func publish(over session: OpaquePointer, at now: Instant) {
        while !waiting.isEmpty {
            let (id, payload) = waiting.removeFirst()
            var message: Int32 = 0
            let result = cmosquitto_publish(
                session, payload.topic, payload.body, Int32(payload.body.count), payload.retain, &message)
            published.append((id, message, now))
            nextPing = now + pingInterval
            if result == CMOSQUITTO_TAKEN { continue }
            if result == CMOSQUITTO_LOST { return fail("the connection to \(host) broke (\(errorText(session)))") }
            published.removeLast()
            outcomes.append(BatchOutcome(id: id, verdict: .refused(reason: "too large for MQTT")))
        }
    }
}

// MARK: - Ending

extension MQTT {
    private func drop() {
        switch state {
        case .closed: break
        case .resolving(let pipe, _): _ = Glibc.close(pipe)
        case .connecting(let session, _), .open(let session): cmosquitto_close(session)
        }
        state = .closed
    }

    private func fail(_ verdict: Verdict) {
        drop()
        outcomes += published.map { BatchOutcome(id: $0.id, verdict: verdict) }
        outcomes += waiting.map { BatchOutcome(id: $0.id, verdict: verdict) }
        published = []
        waiting = []
    }

    private func fail(_ reason: String) { fail(.retry(reason: reason, after: nil)) }
}
