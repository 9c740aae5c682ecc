import Quantities
import TrackingOptions

/// Waits for a fix as good as `desiredAccuracy` asks for, and takes the best one seen when none comes in time.
struct AccuracyGate: Sendable, Hashable {
    private let limit: Metres
    private let timeout: Duration
    private var closed: Instant?
    private var best: AcceptedFix?

    /// Waits for `desiredAccuracy` up to `fixTimeout`; open at first.
    init(_ options: TrackingOptions) {
        limit = options.desiredAccuracy.limit
        timeout = options.fixTimeout
    }

    /// The best fix that was not good enough.
    var secondBest: AcceptedFix? { best }

    /// Begins to wait: the receiver was switched on.
    mutating func close(at now: Instant) {
        closed = now
        best = nil
    }

    /// Takes a fix in; returns those that may be used, in the order of their times.
    mutating func pass(_ fix: AcceptedFix, at now: Instant) -> [AcceptedFix] {
        guard let closed else { return [fix] }
        let isGood = fix.position.accuracy.map { $0 <= limit } ?? true
        guard isGood || now - closed >= timeout else {
            if best.map({ fix.isBetter(than: $0) }) ?? true { best = fix }
            return []
        }
        self.closed = nil
        defer { best = nil }
        return isGood || best == nil ? [fix] : [best, fix].compactMap { $0 }
    }
}

extension AcceptedFix {
    fileprivate func isBetter(than other: AcceptedFix) -> Bool {
        guard let error = position.accuracy else { return true }
        return other.position.accuracy.map { error < $0 } ?? false
    }
}
