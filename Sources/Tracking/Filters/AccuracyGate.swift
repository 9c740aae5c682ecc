import Quantities
import TrackingOptions

/// Waits for an error within `desiredAccuracy`; after a timeout, passes any fix. A fix without a stated error is accurate
/// enough.
struct AccuracyGate: Sendable, Hashable {
    private let limit: Metres
    private let timeout: Duration
    private var closed: Instant?
    private var best: AcceptedFix?

    /// The gate is open; once closed, it waits for `desiredAccuracy` for up to `fixTimeout`.
    init(_ options: TrackingOptions) {
        limit = options.desiredAccuracy.limit
        timeout = options.fixTimeout
    }

    /// The best fix since the gate was closed; it was not accurate enough.
    var secondBest: AcceptedFix? { best }

    /// Call it at the start of a search or of a request.
    mutating func close(at now: Instant) {
        closed = now
        best = nil
    }

    /// Returns whether the fix passes; the gate is then open, without a second best.
    mutating func pass(_ fix: AcceptedFix, at now: Instant) -> Bool {
        guard let closed else { return true }
        let isGood = fix.position.accuracy.map { $0 <= limit } ?? true
        guard isGood || now - closed >= timeout else {
            if best.map({ fix.isBetter(than: $0) }) ?? true { best = fix }
            return false
        }
        (self.closed, best) = (nil, nil)
        return true
    }
}

extension AcceptedFix {
    func isBetter(than other: AcceptedFix) -> Bool {
        guard let error = position.accuracy else { return true }
        return other.position.accuracy.map { error < $0 } ?? false
    }
}
