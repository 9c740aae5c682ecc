import Quantities

/// Decides when the light shines that tells whoever sits in the vehicle that it is tracked.
struct IndicatorRule: Sendable, Hashable {
    /// Long enough to be seen, short enough to be a blink.
    private static let blink = Duration.milliseconds(200)

    private var isLit = false

    /// Shines all the time, or not at all, as the option wants it now.
    mutating func follow(_ indicator: Indicator, isTracking: Bool) -> [Effect] {
        switch indicator {
        case .off: set(false)
        case .updates: []
        case .always: set(isTracking)
        }
    }

    /// Something was recorded that is to be seen.
    mutating func recorded(at now: Instant) -> [Effect] { set(true) + [.arm(.light, at: now + Self.blink)] }

    /// The blink is over.
    mutating func timer(_ indicator: Indicator) -> [Effect] { indicator == .updates ? set(false) : [] }

    private mutating func set(_ lit: Bool) -> [Effect] {
        guard lit != isLit else { return [] }
        isLit = lit
        return [.light(isLit: lit)]
    }
}
