internal import CMosquitto
internal import Formats
internal import Quantities

/// Connects to a broker without blocking. Prefers MQTT 5, in which a broker can refuse a message, to 3.1.1.
final class BrokerConnection {
    enum Progress {
        case underWay
        case open(OpaquePointer)
        /// The connection is closed.
        case failed(Verdict)
    }

    private enum State {
        case closed
        /// A thread resolves the name and begins to connect.
        case resolving(OpaquePointer, since: Instant)
        case connecting(OpaquePointer, since: Instant)
        case open(OpaquePointer)
    }

    private let target: UploadTarget
    private let clientID: String
    private let will: () -> WirePayload?
    private let timeouts: TransportTimeouts
    private var state = State.closed
    private var version = BrokerVersion()
    /// Changes after each attempt that fails after the name resolution. Without effect if the broker lacks IPv4.
    private var isOnlyIPv4 = false
    /// True if the broker has refused a retained will.
    private var isWillPlain = false

    /// The time between two pings of the next connection.
    var keepAlive: Duration
    /// The broker's limits while the connection is open.
    private(set) var limits = cmosquitto_limits()

    init(_ target: UploadTarget, clientID: String, _ timeouts: TransportTimeouts, will: @escaping () -> WirePayload?) {
        (self.target, self.clientID, self.timeouts, self.will) = (target, clientID, timeouts, will)
        keepAlive = timeouts.keepAlive
    }

    deinit { close() }

    var isV5: Bool { version.isV5 }

    var isClosed: Bool { if case .closed = state { true } else { false } }

    var session: OpaquePointer? { if case .open(let session) = state { session } else { nil } }

    /// The socket, or the pipe that shows the end of the resolving thread.
    var watches: [Watch] {
        switch state {
        case .closed: []
        case .resolving(let session, _):
            [Watch(descriptor: cmosquitto_socket(session), reads: true, writes: false)]
        case .connecting(let session, _), .open(let session):
            [Watch(descriptor: cmosquitto_socket(session), reads: true, writes: cmosquitto_wants_write(session))]
        }
    }

    var timeout: Instant? {
        switch state {
        case .closed, .open: nil
        case .resolving(_, let since), .connecting(_, let since): since + timeouts.connect
        }
    }

    func begin(at now: Instant) -> Progress {
        version.begin()
        return connect(since: now)
    }

    func advance(at now: Instant) -> Progress {
        switch state {
        case .closed: .underWay
        case .resolving(let session, let since): continueResolving(session, since: since, at: now)
        case .connecting(let session, let since): continueConnecting(session, since: since, at: now)
        case .open(let session): .open(session)
        }
    }

    /// Sends a DISCONNECT, so that the will is not published.
    func close() {
        switch state {
        case .closed: break
        case .resolving(let session, _), .connecting(let session, _), .open(let session): cmosquitto_close(session)
        }
        state = .closed
    }

    func fault(_ session: OpaquePointer) -> BrokerFailure {
        BrokerFailure(session: session, host: host, isEncrypted: isEncrypted)
    }
}

extension BrokerConnection {
    private var host: String { target.address.host }
    private var isEncrypted: Bool { target.transport.secureSchemes.contains(target.address.scheme) }

    private func continueResolving(_ session: OpaquePointer, since: Instant, at now: Instant) -> Progress {
        switch cmosquitto_take_over(session) {
        case CMOSQUITTO_RESOLVING:
            guard now - since >= timeouts.connect else { return .underWay }
            return fail(.linkFailed(reason: "the name \(host) is not resolved in time (no network?)"))
        case CMOSQUITTO_NO_ADDRESS:
            return fail(.linkFailed(reason: "\(host) has no address (no network, or a wrong name)"))
        case CMOSQUITTO_CONNECTING:
            state = .connecting(session, since: since)
            return .underWay
        default:
            state = .connecting(session, since: since)
            return fail(fault(session).unreachable)
        }
    }

    private func connect(since: Instant) -> Progress {
        guard let session = cmosquitto_open(clientID, version.isV5) else { return fail("out of memory") }
        state = .resolving(session, since: since)
        let port = target.address.port ?? (isEncrypted ? 8883 : 1883)
        do throws(SecretError) {
            let hasBegun =
                try prepare(session)
                && cmosquitto_connect(session, host, Int32(port), Int32(keepAlive.components.seconds), isOnlyIPv4)
            return hasBegun ? .underWay : fail(fault(session).unreachable)
        } catch {
            return fail(.unauthorised(reason: "\(error)"))
        }
    }

    private func prepare(_ session: OpaquePointer) throws(SecretError) -> Bool {
        if let login = target.access.login {
            guard cmosquitto_login(session, login.username, try login.password.read().revealed) else { return false }
        }
        if isEncrypted {
            let certificate = target.access.certificate
            let isPrepared = cmosquitto_trust(session, target.access.caFile, certificate?.file, certificate?.key)
            guard isPrepared else { return false }
        }
        guard let will = will() else { return true }
        let isRetained = will.retain && !isWillPlain
        return cmosquitto_will(session, will.topic, will.body, Int32(will.body.count), isRetained)
    }

    private func continueConnecting(_ session: OpaquePointer, since: Instant, at now: Instant) -> Progress {
        let isConnected = cmosquitto_advance(session)
        let code = Int(cmosquitto_answer(session))
        guard code != Int(CMOSQUITTO_SILENT) else {
            guard isConnected else { return noAnswer(session, since: since) }
            return now - since >= timeouts.connect ? fail(.linkFailed(reason: silence)) : .underWay
        }
        guard code == 0 else { return refused(BrokerReason(code: code, isV5: version.isV5), since: since) }
        guard isConnected else { return fail(fault(session).broken) }
        limits = cmosquitto_limits(session)
        guard limits.confirms else {
            return fail("the broker acknowledges no messages (Maximum QoS 0); use a broker that accepts QoS 1")
        }
        state = .open(session)
        return .open(session)
    }

    /// A broker without TLS may read the handshake as an incomplete packet, and wait.
    private var silence: String {
        let hint = isEncrypted ? "; check that it speaks TLS on this port" : ""
        return "\(target.address.host) does not answer in time\(hint)"
    }

    /// Tries MQTT 3.1.1 at once if the broker may lack MQTT 5. Such a broker closes the connection, or answers in its
    /// own version.
    private func noAnswer(_ session: OpaquePointer, since: Instant) -> Progress {
        let isFormer = cmosquitto_is_former(session)
        let mayBeFormer = (isFormer || cmosquitto_is_hung_up(session)) && !cmosquitto_is_distrusted(session)
        guard mayBeFormer, version.fallBack(isFormer ? .refusal : .silence) else {
            let verdict = fault(session).unreachable
            version.startOver()
            return fail(verdict)
        }
        return reconnect(since: since)
    }

    private func refused(_ reason: BrokerReason, since: Instant) -> Progress {
        // MQTT 5, section 3.1.2.7: a broker that retains no messages refuses a will with the retain flag.
        if reason.isV5, reason.code == 0x9A, !isWillPlain {
            isWillPlain = true
            return reconnect(since: since)
        }
        if reason.isOtherVersion, version.fallBack(.refusal) { return reconnect(since: since) }
        return fail(reason.refusedConnection)
    }

    private func reconnect(since: Instant) -> Progress {
        close()
        return connect(since: since)
    }

    private func fail(_ reason: String) -> Progress { fail(.retry(reason: reason, after: nil)) }

    private func fail(_ verdict: Verdict) -> Progress {
        if case .connecting = state { isOnlyIPv4.toggle() }
        close()
        return .failed(verdict)
    }
}

/// MQTT 5, or 3.1.1 if the broker lacks it.
struct BrokerVersion: Sendable, Hashable {
    enum Sign: Sendable, Hashable {
        case refusal
        /// The connection closed without an answer, which a broken network can cause too.
        case silence
    }

    private(set) var isV5 = true
    private var sign: Sign?

    /// Returns to MQTT 5 if only a closed connection was the reason for 3.1.1.
    mutating func begin() {
        if sign == .silence { self = BrokerVersion() }
    }

    /// Returns false if MQTT 3.1.1 is already in use.
    mutating func fallBack(_ sign: Sign) -> Bool {
        guard isV5 else { return false }
        (isV5, self.sign) = (false, sign)
        return true
    }

    /// Begins with MQTT 5 again, because the broker did not answer in the present version.
    mutating func startOver() { self = BrokerVersion() }

    /// A notice for the log.
    static let formerVersion =
        "the broker speaks only MQTT 3.1.1, so it cannot report that its access rules refuse a record"
}
