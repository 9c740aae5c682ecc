import Quantities

/// Answers requests for a location: waits for a fix as good as `desiredAccuracy`, at most for `fixTimeout`.
struct Requests: Sendable, Hashable {
    private struct Pending: Sendable, Hashable {
        let request: LocationRequest
        let since: Instant
    }

    private let timeout: Duration
    private var pending: [Pending] = []
    private var gate: AccuracyGate

    init(_ options: TrackingOptions) {
        timeout = options.fixTimeout
        gate = AccuracyGate(options)
    }

    /// An answer, and the fix that it rests on; nothing when there was none.
    struct Answer: Sendable, Hashable {
        let answer: RequestAnswer
        let fix: AcceptedFix?
    }

    /// Whether somebody waits.
    var isWaiting: Bool { !pending.isEmpty }

    /// Somebody asks; returns whether the search begins with that.
    mutating func ask(_ request: LocationRequest, at now: Instant) -> Bool {
        pending.append(Pending(request: request, since: now))
        guard pending.count == 1 else { return false }
        gate.close(at: now)
        return true
    }

    /// A fix came; answers everybody when it is good enough.
    mutating func take(_ fix: AcceptedFix, at now: Instant) -> [Answer] {
        guard isWaiting, let good = gate.pass(fix, at: now).last else { return [] }
        return answer(with: good, failure: nil, at: now)
    }

    /// The time is over: the best fix so far must do, or there is none.
    mutating func timedOut(at now: Instant) -> [Answer] {
        guard let first = pending.first, now - first.since >= timeout else { return [] }
        let best = gate.secondBest
        return answer(with: best, failure: best == nil ? "no fix in time" : nil, at: now)
    }

    private mutating func answer(with fix: AcceptedFix?, failure: String?, at now: Instant) -> [Answer] {
        defer { pending = [] }
        return pending.map { pending in
            Answer(
                answer: RequestAnswer(action: pending.request.action, failure: failure, took: now - pending.since),
                fix: fix)
        }
    }
}

/// Somebody wants to know where the vehicle is.
package struct LocationRequest: Sendable, Hashable {
    /// What they want to be kept with the answer.
    package var action: ActionParameters?
    /// Whether it came from a server, and not from somebody at the device.
    package var isRemote: Bool

    /// Makes a request.
    package init(action: ActionParameters? = nil, isRemote: Bool = false) {
        self.action = action
        self.isRemote = isRemote
    }
}
