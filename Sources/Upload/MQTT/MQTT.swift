internal import CMosquitto
internal import Delivery
internal import Formats
internal import Quantities

/// Publishes payloads over MQTT with QoS 1 (libmosquitto); a payload is delivered when its PUBACK arrives without an error.
///
/// It connects when there is a payload, and remains connected unless `idleDisconnect` is set. With orders, or with a will
/// and no `idleDisconnect`, it connects at once, and again after each loss. A loss makes all payloads in flight
/// undelivered: `Delivery`, not the library, decides what to send again and when.
final class MQTT: Transport {
    private let target: UploadTarget
    private let timeouts: TransportTimeouts
    private let connection: BrokerConnection
    private var waiting: [(id: Int, payload: WirePayload)] = []
    private var published = PublishedMessages()
    private var outcomes: [BatchOutcome] = []
    private var notices = NoticeList()
    /// Nil if the broker expects no pings.
    private var nextPing: Instant?
    private var lastUse = Instant.boot
    private var introduction = Introduction()
    private var calledAt = Instant.boot
    private var listening: Listening?
    private var standing: StandingConnection?
    /// When the first ping was sent to which the broker has not answered yet; nil if there is none.
    private var pinged: Instant?

    /// Does not connect yet; `send` or `advance` does.
    init(_ target: UploadTarget, _ clocks: UploadClocks, _ timeouts: TransportTimeouts) {
        self.target = target
        self.timeouts = timeouts
        listening = target.acceptsOrders ? Listening() : nil
        let hasWill = target.format.will(for: target.sender, connectedAt: clocks.utc()) != nil
        let isStanding = target.acceptsOrders || (hasWill && target.mqtt.idleDisconnect == nil)
        standing = isStanding ? StandingConnection() : nil
        connection = BrokerConnection(target, clientID: target.clientID, timeouts) {
            target.format.will(for: target.sender, connectedAt: clocks.utc())
        }
    }

    var watches: [Watch] { connection.watches }

    var deadline: Instant? {
        guard outcomes.isEmpty else { return calledAt }
        guard connection.session != nil else {
            return connection.timeout ?? (waiting.isEmpty ? standing?.due : calledAt)
        }
        let answer = published.oldest.map { $0 + timeouts.answer }
        return .earliest(nextPing, pinged.map { $0 + timeouts.ping }, answer, idleEnd, introduction.due)
    }

    func send(_ payload: WirePayload, as id: Int, at now: Instant) {
        calledAt = now
        waiting.append((id, payload))
        if let session = connection.session {
            publish(over: session, at: now)
        } else if connection.isClosed {
            proceed(connection.begin(at: now), at: now)
        }
    }

    func advance(at now: Instant) -> [BatchOutcome] {
        calledAt = now
        if let session = connection.session {
            continueSession(session, at: now)
        } else if !connection.isClosed {
            proceed(connection.advance(at: now), at: now)
        } else if !waiting.isEmpty || standing?.due.map({ now >= $0 }) == true {
            proceed(connection.begin(at: now), at: now)
        }
        defer { outcomes = [] }
        return outcomes
    }

    func takeNotices() -> [String] {
        let losses = [standing?.takeLoss(at: calledAt)].compactMap { $0 }.map { reason in
            listening == nil
                ? "the connection was lost (\(reason)); trackerd connects again"
                : "the connection for orders was lost (\(reason)); orders that arrive before the next connection are lost"
        }
        return notices.take() + losses
    }

    func takeMessages() -> [[UInt8]] { listening?.messages(from: connection.session) ?? [] }

    func takeRefusals() -> [OrderError] { listening?.takeRefusals(from: connection.session) ?? [] }

    /// `advance` opens a standing connection again after a pause, even without a payload.
    func breakOff() { fail(.postponed) }

    func follow(isMetered: Bool?) {
        connection.keepAlive = isMetered == true ? timeouts.meteredKeepAlive : timeouts.keepAlive
        standing?.endPause(isOnline: isMetered != nil)
    }

    func close() {
        // Read the broker's bytes first, because unread bytes would look to the broker like a lost connection.
        if let session = connection.session, cmosquitto_advance(session),
            let farewell = target.format.farewell(for: target.sender)
        {
            var number: Int32 = 0
            _ = hand(farewell, to: session, number: &number)
        }
        drop()
        standing = nil
        waiting = []
        published = PublishedMessages()
    }
}

// MARK: - The connection

extension MQTT {
    /// Returns when a ping is due after a packet at `now`; nil if the broker expects no pings, which it states as an interval
    /// of 0. The library counts whole seconds and pings when they are over, so one is added.
    private func pingDue(after now: Instant) -> Instant? {
        let interval = Int(connection.limits.keepalive_s)
        return interval == 0 ? nil : now + .seconds(interval + 1)
    }

    /// When an idle connection is closed; nil if it is not idle, or must stay open.
    private var idleEnd: Instant? {
        guard published.isEmpty, waiting.isEmpty, standing == nil else { return nil }
        return target.mqtt.idleDisconnect.map { lastUse + $0 }
    }

    private func proceed(_ progress: BrokerConnection.Progress, at now: Instant) {
        switch progress {
        case .underWay: break
        case .failed(let verdict): fail(verdict)
        case .open(let session):
            if !connection.isV5 { notices.add(BrokerVersion.formerVersion) }
            standing?.begin(at: now)
            if listening != nil, !cmosquitto_listen(session, target.orderTopic) {
                return fail(connection.fault(session).broken)
            }
            introduce(over: session, at: now)
            publish(over: session, at: now)
        }
    }

    private func continueSession(_ session: OpaquePointer, at now: Instant) {
        var isConnected = cmosquitto_advance(session)
        takeAcknowledgements(from: session)
        if !cmosquitto_awaits_answer(session) { pinged = nil }
        if isConnected, let due = nextPing, now >= due {
            isConnected = cmosquitto_keep_alive(session)
            nextPing = pingDue(after: now)
            if cmosquitto_awaits_answer(session) { pinged = pinged ?? now }
        }
        if cmosquitto_take_call(session) { introduction.request(at: now) }
        if !isConnected {
            fail(connection.fault(session).broken)
        } else if let oldest = published.oldest, now - oldest >= timeouts.answer {
            fail(.timedOut(reason: "\(target.address.host) does not answer in time"))
        } else if let pinged, now - pinged >= timeouts.ping {
            fail(.linkFailed(reason: "\(target.address.host) does not answer a ping"))
        } else if let due = introduction.due, now >= due {
            introduce(over: session, at: now)
        } else if let idleEnd, now >= idleEnd {
            drop()
        }
    }

    private func drop() {
        connection.close()
        (introduction, pinged) = (Introduction(), nil)
    }

    private func fail(_ verdict: Verdict) {
        if let session = connection.session { listening?.rescue(from: session) }
        drop()
        standing?.end(because: verdict.reason, at: calledAt)
        let lost = published.topic.map { verdict.during("a message to `\($0)`") } ?? verdict
        outcomes += published.payloads.map { BatchOutcome(id: $0, verdict: lost) }
        outcomes += waiting.map { BatchOutcome(id: $0.id, verdict: verdict, wasSent: false) }
        published = PublishedMessages()
        waiting = []
    }
}

// MARK: - Messages

extension MQTT {
    private func takeAcknowledgements(from session: OpaquePointer) {
        var acks = [cmosquitto_ack](repeating: cmosquitto_ack(), count: 128)
        let count = Int(cmosquitto_acknowledged(session, &acks, Int32(acks.count)))
        for ack in acks.prefix(count) {
            let reason = BrokerReason(code: Int(ack.reason), isV5: connection.isV5)
            guard let (payload, verdict) = published.acknowledge(ack.message, reason) else { continue }
            if let payload {
                outcomes.append(BatchOutcome(id: payload, verdict: verdict))
            } else if case .refused(let words) = verdict {
                notices.add(words)
            }
        }
    }

    /// Publishes the messages that introduce the device, and subscribes to the topic on which a client requests them again.
    private func introduce(over session: OpaquePointer, at now: Instant) {
        (lastUse, nextPing) = (now, pingDue(after: now))
        if !introduction.isDone, let call = target.format.call {
            _ = cmosquitto_subscribe(session, call.topic, call.words)
        }
        introduction.carriedOut(at: now)
        for message in target.format.introduction(for: target.sender) {
            var number: Int32 = 0
            // If the connection is faulty, the next call reports the fault.
            guard hand(message, to: session, number: &number) == CMOSQUITTO_TAKEN else { return }
            published.add(number, of: nil, to: message.topic, at: now)
        }
    }

    private func publish(over session: OpaquePointer, at now: Instant) {
        while !waiting.isEmpty {
            let (id, payload) = waiting.removeFirst()
            (lastUse, nextPing) = (now, pingDue(after: now))
            for message in payload.companions + [payload] {
                var number: Int32 = 0
                let result = hand(message, to: session, number: &number)
                published.add(number, of: id, to: message.topic, at: now)
                if result == CMOSQUITTO_TAKEN { continue }
                if result == CMOSQUITTO_LOST { return fail(connection.fault(session).broken) }
                published.forget(id)
                outcomes.append(BatchOutcome(id: id, verdict: .refused(reason: tooLarge)))
                break
            }
        }
    }

    private var tooLarge: String {
        let limit = connection.limits.largest_packet
        return limit > 0 ? "too large (the broker accepts \(limit) bytes)" : "too large for MQTT"
    }

    private func hand(_ message: WirePayload, to session: OpaquePointer, number: inout Int32) -> cmosquitto_publishing {
        let isRetained = message.retain && connection.limits.retains
        return cmosquitto_publish(session, message.topic, message.body, Int32(message.body.count), isRetained, &number)
    }
}

/// The device is introduced each time the connection opens, and when a subscriber asks.
struct Introduction: Sendable, Hashable {
    private(set) var isDone = false
    private var last = Instant.boot
    private(set) var due: Instant?

    /// The shortest interval between introductions on request, because a subscriber may restart again and again.
    private static let interval: Duration = .seconds(30)

    mutating func request(at now: Instant) { due = due ?? max(now, last + Self.interval) }

    mutating func carriedOut(at now: Instant) { (isDone, last, due) = (true, now, nil) }
}

/// Each notice comes only once.
struct NoticeList: Sendable, Hashable {
    private var new: [String] = []
    private var known: [String] = []

    /// A broker may state many reasons; later ones are dropped.
    private static let most = 50

    mutating func add(_ notice: String) {
        guard !known.contains(notice), known.count < Self.most else { return }
        known.append(notice)
        new.append(notice)
    }

    mutating func take() -> [String] {
        defer { new = [] }
        return new
    }
}
