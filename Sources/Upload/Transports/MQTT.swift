internal import CMosquitto
internal import Glibc
package import Quantities

/// Publishes parcels over MQTT 3.1.1 with QoS 1 (libmosquitto); a parcel is delivered when its PUBACK is there.
///
/// Connects when there is something to send, and then stays connected. A connection that breaks gives all that is
/// under way back as not delivered: what to send again, and when, is decided by `Delivery` and not by the library.
package final class MQTT: Transport {
    private enum State {
        case closed
        /// A thread looks up the name; the byte that it sends comes out of the descriptor.
        case lookingUp(Int32, since: Instant)
        case connecting(OpaquePointer, since: Instant)
        case open(OpaquePointer)
    }

    private let target: UploadTarget
    private let clock: UploadClock
    private let patience: TransportPatience
    private var state = State.closed
    private var waiting: [(id: Int, parcel: Parcel)] = []
    private var published: [(id: Int, message: Int32, at: Instant)] = []
    private var outcomes: [ShipmentOutcome] = []
    private var nextPing = Instant.boot
    private var calledAt = Instant.boot

    /// Makes a transport for the target; connects when there is something to send.
    package init(_ target: UploadTarget, _ clock: UploadClock, _ patience: TransportPatience) {
        self.target = target
        self.clock = clock
        self.patience = patience
    }

    deinit { drop() }

    /// The socket, or the end of the name look-up.
    package var watches: [Watch] {
        switch state {
        case .closed: []
        case .lookingUp(let pipe, _): [Watch(descriptor: pipe, reads: true, writes: false)]
        case .connecting(let session, _), .open(let session):
            [Watch(descriptor: cmosquitto_socket(session), reads: true, writes: cmosquitto_wants_write(session))]
        }
    }

    /// When something has taken too long, or a ping is due.
    package var deadline: Instant? {
        guard outcomes.isEmpty else { return calledAt }
        switch state {
        case .closed: return waiting.isEmpty ? nil : calledAt
        case .lookingUp(_, let since), .connecting(_, let since): return since + patience.connect
        case .open: return min(nextPing, published.first.map { $0.at + patience.answer } ?? nextPing)
        }
    }

    /// Publishes at once when the connection stands; connects otherwise.
    package func send(_ parcel: Parcel, as id: Int, at now: Instant) {
        calledAt = now
        waiting.append((id, parcel))
        switch state {
        case .closed: lookUp(at: now)
        case .lookingUp, .connecting: break
        case .open(let session): publish(over: session, at: now)
        }
    }

    /// Reads, writes, pings, and gives up what takes too long.
    package func advance(at now: Instant) -> [ShipmentOutcome] {
        calledAt = now
        switch state {
        case .closed: if !waiting.isEmpty { lookUp(at: now) }
        case .lookingUp(let pipe, let since): goOnLookingUp(pipe, since: since, at: now)
        case .connecting(let session, let since): goOnConnecting(session, since: since, at: now)
        case .open(let session): goOn(session, at: now)
        }
        defer { outcomes = [] }
        return outcomes
    }

    /// Says good-bye, so that the broker keeps the will to itself.
    package func close() {
        drop()
        waiting = []
        published = []
    }

    private var host: String { target.address.host }
    private var isEncrypted: Bool { target.transport.secureSchemes.contains(target.address.scheme) }

    private func drop() {
        switch state {
        case .closed: break
        case .lookingUp(let pipe, _): _ = Glibc.close(pipe)
        case .connecting(let session, _), .open(let session): cmosquitto_close(session)
        }
        state = .closed
    }

    private func fail(_ verdict: Verdict) {
        drop()
        outcomes += published.map { ShipmentOutcome(id: $0.id, verdict: verdict) }
        outcomes += waiting.map { ShipmentOutcome(id: $0.id, verdict: verdict) }
        published = []
        waiting = []
    }

    private func fail(_ reason: String) { fail(.retry(reason: reason, after: nil)) }
}

// MARK: - Connecting

extension MQTT {
    private func lookUp(at now: Instant) {
        let pipe = cmosquitto_lookup(host)
        guard pipe >= 0 else { return fail("there is no memory to look up \(host)") }
        state = .lookingUp(pipe, since: now)
    }

    private func goOnLookingUp(_ pipe: Int32, since: Instant, at now: Instant) {
        var answer: UInt8 = 0
        let count = read(pipe, &answer, 1)
        if count < 0, errno == EAGAIN || errno == EINTR {
            if now - since >= patience.connect { fail("the address of \(host) cannot be found in time (no network?)") }
            return
        }
        drop()
        guard count == 1, answer == 1 else { return fail("\(host) has no address (no network, or a wrong name)") }
        connect(since: since)
    }

    private func connect(since: Instant) {
        let clientID = "trackerd-\(target.user)-\(target.device)".lowercased()
        guard let session = cmosquitto_open(clientID) else { return fail("there is no memory to connect to \(host)") }
        state = .connecting(session, since: since)
        // The library looks the name up once more; now that an answer is at hand that does not take long.
        let port = target.address.port ?? (isEncrypted ? 8883 : 1883)
        let isBegun =
            prepare(session)
            && cmosquitto_connect(session, host, Int32(port), Int32(patience.keepAlive.components.seconds))
        guard isBegun else { return fail(unreachable(session)) }
    }

    private func prepare(_ session: OpaquePointer) -> Bool {
        if let login = target.login {
            guard cmosquitto_login(session, login.username, login.password.revealed) else { return false }
        }
        if isEncrypted {
            guard cmosquitto_trust(session, target.caFile) else { return false }
        }
        guard let will = target.format.will(for: target, connectedAt: clock.utc()) else { return true }
        return cmosquitto_will(session, will.topic, will.body, Int32(will.body.count))
    }

    private func goOnConnecting(_ session: OpaquePointer, since: Instant, at now: Instant) {
        let isStanding = cmosquitto_advance(session)
        switch cmosquitto_welcome(session) {
        case CMOSQUITTO_WELCOME where isStanding:
            state = .open(session)
            nextPing = now + pause
            publish(over: session, at: now)
        case CMOSQUITTO_UNAUTHORISED:
            fail(.unauthorised(reason: "the broker does not accept user and password"))
        case CMOSQUITTO_TURNED_AWAY:
            fail("the broker turns us away (\(words(session)))")
        default:
            if !isStanding {
                fail(unreachable(session))
            } else if now - since >= patience.connect {
                fail("\(host) does not answer in time")
            }
        }
    }

    private func unreachable(_ session: OpaquePointer) -> String {
        if cmosquitto_is_distrusted(session) { return "TLS with \(host) does not come about (\(words(session)))" }
        guard cmosquitto_is_hung_up(session) else {
            return "\(host) cannot be reached, or nothing listens there (\(words(session)))"
        }
        return "\(host) closes the connection before it answers; perhaps it does not speak "
            + (isEncrypted ? "MQTT over TLS" : "MQTT without TLS")
    }

    private func words(_ session: OpaquePointer) -> String { String(cString: cmosquitto_words(session)) }
}

// MARK: - Publishing

extension MQTT {
    /// The library counts whole seconds, and pings only when the time is over.
    private var pause: Duration { patience.keepAlive + .seconds(1) }

    private func goOn(_ session: OpaquePointer, at now: Instant) {
        var isStanding = cmosquitto_advance(session)
        takeAcknowledgements(from: session)
        if isStanding, now >= nextPing {
            isStanding = cmosquitto_keep_alive(session)
            nextPing = now + pause
        }
        if !isStanding {
            fail("the connection to \(host) broke (\(words(session)))")
        } else if let oldest = published.first, now - oldest.at >= patience.answer {
            fail("\(host) does not answer in time")
        }
    }

    private func takeAcknowledgements(from session: OpaquePointer) {
        var messages = [Int32](repeating: 0, count: 64)
        let count = Int(cmosquitto_acknowledged(session, &messages, Int32(messages.count)))
        for message in messages.prefix(count) {
            guard let index = published.firstIndex(where: { $0.message == message }) else { continue }
            outcomes.append(ShipmentOutcome(id: published.remove(at: index).id, verdict: .delivered))
        }
    }

    private func publish(over session: OpaquePointer, at now: Instant) {
        while !waiting.isEmpty {
            let (id, parcel) = waiting.removeFirst()
            var message: Int32 = 0
            let fate = cmosquitto_publish(
                session, parcel.topic, parcel.body, Int32(parcel.body.count), parcel.retain, &message)
            published.append((id, message, now))
            nextPing = now + pause
            if fate == CMOSQUITTO_TAKEN { continue }
            if fate == CMOSQUITTO_LOST { return fail("the connection to \(host) broke (\(words(session)))") }
            published.removeLast()
            outcomes.append(ShipmentOutcome(id: id, verdict: .refused(reason: "too large for MQTT")))
        }
    }
}
