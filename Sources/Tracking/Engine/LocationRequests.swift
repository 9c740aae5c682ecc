import Quantities
import TrackingOptions

/// Answers requests for a location: waits up to `fixTimeout` for a fix with an error within `desiredAccuracy`.
///
/// All requests share one search, but each request has its own deadline. A later request therefore still waits when the first
/// request fails.
struct LocationRequests: Sendable, Hashable {
    private struct Pending: Sendable, Hashable {
        let request: LocationRequest
        let since: Instant
        var gate: AccuracyGate
    }

    private let timeout: Duration
    /// The accuracy gate in its initial state; each request begins with a copy.
    private let gate: AccuracyGate
    /// The waiting requests, in the order of their deadlines.
    private var pending: [Pending] = []

    init(_ options: TrackingOptions) {
        timeout = options.fixTimeout
        gate = AccuracyGate(options)
    }

    /// An answer, and the fix that the answer contains; the fix is nil if none arrived.
    struct Answer: Sendable, Hashable {
        let answer: RequestAnswer
        let fix: AcceptedFix?
    }

    var isWaiting: Bool { !pending.isEmpty }

    /// The next deadline; nil if no request waits.
    var deadline: Instant? { pending.first.map { $0.since + timeout } }

    /// Adds a request; returns whether this request starts the search.
    mutating func ask(_ request: LocationRequest, at now: Instant) -> Bool {
        var gate = gate
        gate.close(at: now)
        pending.append(Pending(request: request, since: now, gate: gate))
        return pending.count == 1
    }

    /// Handles a fix; returns the answers to the requests for which this fix is accurate enough, or whose time is over.
    ///
    /// If the time is over, the answer contains the best fix, as in `timedOut`.
    mutating func take(_ fix: AcceptedFix, at now: Instant) -> [Answer] {
        guard isWaiting else { return [] }
        var answers: [Answer] = []
        for var waiting in takeAll() {
            let passed = waiting.gate.pass(fix, at: now)
            if let best = passed.dropFirst().reduce(passed.first, { $1.isBetter(than: $0 ?? $1) ? $1 : $0 }) {
                answers.append(Self.answer(waiting, with: best, at: now))
            } else {
                pending.append(waiting)
            }
        }
        return answers
    }

    /// Returns the answers to the requests with an expired deadline; an answer contains the best fix so far if there is one.
    mutating func timedOut(at now: Instant) -> [Answer] {
        let due = pending.prefix { now - $0.since >= timeout }
        pending.removeFirst(due.count)
        return due.map { Self.answer($0, with: $0.gate.secondBest, at: now) }
    }

    private mutating func takeAll() -> [Pending] {
        defer { pending = [] }
        return pending
    }

    private static func answer(_ pending: Pending, with fix: AcceptedFix?, at now: Instant) -> Answer {
        let failure = fix == nil ? "no fix in time" : nil
        let took = now - pending.since
        return Answer(answer: RequestAnswer(action: pending.request.action, failure: failure, took: took), fix: fix)
    }
}

// MARK: - In the engine

extension LocationRequests {
    /// Begins to answer a request, or records as a decision why the engine ignores the request.
    mutating func start(_ request: LocationRequest, _ equipment: inout Equipment, in turn: inout Turn) {
        guard !turn.isPrivate else { return turn.effects.decide(.request, "not answered: \(RequestAnswer.isPrivate)") }
        let options = turn.options
        guard options.monitoring.recordsUnasked || !request.isRemote else {
            let mode = options.monitoring.name
            return turn.effects.decide(.request, "not answered: remote requests are ignored in \(mode)")
        }
        // Read the options only at the start of a search, because the timer and `fixTimeout` must agree.
        if !isWaiting { self = LocationRequests(options) }
        guard ask(request, at: turn.now) else { return }
        let isPowered = options.desiredAccuracy.powersReceiver
        equipment.receiver.want(isPowered, by: .request, equipment.logbook, in: &turn)
        turn.effects.arm(.request, at: turn.now + options.fixTimeout)
    }

    /// Handles a fix, and records the answers to the requests for which it is accurate enough.
    mutating func handle(_ fix: AcceptedFix, _ equipment: inout Equipment, in turn: inout Turn) {
        guard isWaiting else { return }
        record(take(fix, at: turn.now), &equipment, in: &turn)
    }

    /// Handles the timer of the next deadline.
    mutating func timer(_ equipment: inout Equipment, in turn: inout Turn) {
        record(timedOut(at: turn.now), &equipment, in: &turn)
    }

    /// Records the answers to requests, and releases the receiver when no more requests wait.
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

/// A request for the vehicle's location.
package struct LocationRequest: Sendable, Hashable {
    /// The parameters to store with the answer.
    package var action: ActionParameters?
    /// Whether the request came from a server, and not from the device.
    package var isRemote: Bool

    package init(action: ActionParameters? = nil, isRemote: Bool = false) {
        self.action = action
        self.isRemote = isRemote
    }
}
