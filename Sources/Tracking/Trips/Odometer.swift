package import Quantities

/// Counts the metres of accepted movement.
package struct Odometer: Sendable, Hashable, Codable {
    /// A fix with a larger error does not count; the next good one spans the gap.
    private static let accuracyLimit = Metres(100)

    /// Metres since the odometer was set.
    package private(set) var distance = Metres.zero
    private var last: Coordinate?

    /// Makes an odometer at zero.
    package init() {}

    /// Counts the way to this fix, unless the vehicle rests: what the receiver wanders then is no way.
    mutating func add(_ fix: AcceptedFix, isAtRest: Bool) {
        guard !isAtRest, (fix.position.accuracy ?? .zero) <= Self.accuracyLimit else { return }
        if let last { distance = distance + last.distance(to: fix.coordinate) }
        last = fix.coordinate
    }

    /// Sets what it shows.
    mutating func set(to distance: Metres) { self.distance = distance }

    /// The vehicle stands here: the next way is counted from this place.
    mutating func park(at place: Coordinate) { last = place }
}
