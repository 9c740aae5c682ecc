import Quantities
import TrackingOptions

/// Answers requests for a location: waits for a fix as good as `desiredAccuracy`, at most for `fixTimeout`.
///
/// All of them share one search, and each has a time of its own: whoever asks later waits on when the first gives up.
struct LocationRequests: Sendable, Hashable {
    private struct Pending: Sendable, Hashable {
        let request: LocationRequest
        let since: Instant
        var gate: AccuracyGate
    }

    private let timeout: Duration
    /// What each of them begins with.
    private let gate: AccuracyGate
    /// In the order in which they were asked, and so in that in which their times are over.
    private var pending: [Pending] = []

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

    /// When the time of whoever waits longest is over; nothing when nobody waits.
    var deadline: Instant? { pending.first.map { $0.since + timeout } }

    /// Somebody asks; returns whether the search begins with that.
    mutating func ask(_ request: LocationRequest, at now: Instant) -> Bool {
        var gate = gate
        gate.close(at: now)
        pending.append(Pending(request: request, since: now, gate: gate))
        return pending.count == 1
    }

    /// A fix came; answers everybody for whom it is good enough.
    mutating func take(_ fix: AcceptedFix, at now: Instant) -> [Answer] {
        var answers: [Answer] = []
        for var waiting in takeAll() {
            if let good = waiting.gate.pass(fix, at: now).last {
                answers.append(Self.answer(waiting, with: good, at: now))
            } else {
                pending.append(waiting)
            }
        }
        return answers
    }

    /// The time is over for some: the best fix so far must do, or there is none.
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
