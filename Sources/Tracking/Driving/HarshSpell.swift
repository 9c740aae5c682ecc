import Quantities

/// The time for which something is harsh without a break: known in full when it is over.
struct HarshSpell: Sendable, Hashable {
    /// When it began.
    private(set) var began: Instant
    /// Until when it has lasted.
    private(set) var ended: Instant
    /// The strongest acceleration of it.
    private(set) var peak: Acceleration

    init(_ strength: Acceleration, over span: ClosedRange<Instant>) {
        (began, ended) = (span.lowerBound, span.upperBound)
        peak = strength
    }

    mutating func extend(_ strength: Acceleration, over span: ClosedRange<Instant>) {
        ended = span.upperBound
        peak = max(peak, strength)
    }
}
