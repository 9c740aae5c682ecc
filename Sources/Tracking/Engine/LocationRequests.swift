import Quantities
import TrackingOptions

/// Waits up to `fixTimeout` for a fix within `desiredAccuracy`. All requests share one search, each with its own deadline.
struct LocationRequests: Sendable, Hashable {
    private struct Pending: Sendable, Hashable {
        let request: LocationRequest
        let since: Instant
        var gate: AccuracyGate
    }

    private let timeout: Duration
    /// Each request begins with a copy of this gate.
    private let gate: AccuracyGate
    private var pending: [Pending] = []

    init(_ options: TrackingOptions) {
        timeout = options.fixTimeout
        gate = AccuracyGate(options)
    }

    /// The fix is nil if none arrived.
    struct Answer: Sendable, Hashable {
        let answer: RequestAnswer
        let fix: AcceptedFix?
    }

    var isWaiting: Bool { !pending.isEmpty }

    var deadline: Instant? { pending.first.map { $0.since + timeout } }

    mutating func ask(_ request: LocationRequest, at now: Instant) -> Bool {
        var gate = gate
        gate.close(at: now)
        pending.append(Pending(request: request, since: now, gate: gate))
        return pending.count == 1
    }

    /// Answers the requests for which the fix is accurate enough. Requests whose time is over get the best fix.
    mutating func take(_ fix: AcceptedFix, at now: Instant) -> [Answer] {
        var answers: [Answer] = []
        let asked = pending
        pending = []
        for var waiting in asked {
            let earlier = waiting.gate.secondBest
            if waiting.gate.pass(fix, at: now) {
                let best = earlier.map { fix.isBetter(than: $0) ? fix : $0 } ?? fix
                answers.append(Self.answer(waiting, with: best, at: now))
            } else {
                pending.append(waiting)
            }
        }
        return answers
    }

    /// Returns answers with the best fix so far.
    mutating func timedOut(at now: Instant) -> [Answer] {
        let due = pending.prefix { now - $0.since >= timeout }
        pending.removeFirst(due.count)
        return due.map { Self.answer($0, with: $0.gate.secondBest, at: now) }
    }

    private static func answer(_ pending: Pending, with fix: AcceptedFix?, at now: Instant) -> Answer {
        let failure = fix == nil ? "no fix in time" : nil
        let took = now - pending.since
        return Answer(answer: RequestAnswer(action: pending.request.action, failure: failure, took: took), fix: fix)
    }
}

extension LocationRequests {
    /// If the request is ignored, a decision states why.
    mutating func start(_ request: LocationRequest, _ equipment: inout Equipment, in turn: inout Turn) {
        guard !turn.isPrivate else { return turn.effects.decide(.request, "not answered: \(RequestAnswer.isPrivate)") }
        let options = turn.options
        guard options.monitoring.recordsUnasked || !request.isRemote else {
            let mode = options.monitoring.name
            return turn.effects.decide(.request, "not answered: remote requests are ignored in the mode \(mode)")
        }
        // Read the options only at the start of a search, because the timer and `fixTimeout` must agree.
        if !isWaiting { self = LocationRequests(options) }
        guard ask(request, at: turn.now) else { return }
        let isPowered = options.desiredAccuracy.powersReceiver
        equipment.receiver.want(isPowered, by: .request, equipment.logbook, in: &turn)
        turn.effects.arm(.request, at: turn.now + options.fixTimeout)
    }

    mutating func handle(_ fix: AcceptedFix, _ equipment: inout Equipment, in turn: inout Turn) {
        let answers = take(fix, at: turn.now)
        record(answers, &equipment, in: &turn)
    }

    mutating func timer(_ equipment: inout Equipment, in turn: inout Turn) {
        let answers = timedOut(at: turn.now)
        record(answers, &equipment, in: &turn)
    }

    private func record(_ answers: [Answer], _ equipment: inout Equipment, in turn: inout Turn) {
        guard !answers.isEmpty else { return }
        for answer in answers {
            let time = answer.fix.map { UTCTime($0.time, isTrusted: true) } ?? turn.utc
            let content = Record.Content.request(answer.answer)
            turn.effects.append(.record(equipment.logbook.record(content, at: answer.fix?.position, time, turn)))
        }
        // A request that still waits has its own deadline.
        if let deadline { return turn.effects.arm(.request, at: deadline) }
        turn.effects.cancel(.request)
        equipment.receiver.want(false, by: .request, equipment.logbook, in: &turn)
    }
}

package struct LocationRequest: Sendable, Hashable {
    /// The requester's parameters, which are stored with the answer.
    package var action: ActionParameters?
    /// True if a server, and not somebody at the device, has made the request.
    package var isRemote: Bool

    package init(action: ActionParameters? = nil, isRemote: Bool = false) {
        self.action = action
        self.isRemote = isRemote
    }
}
