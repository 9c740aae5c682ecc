import Quantities
import TrackingOptions

/// Decides when the light shines that tells whoever sits in the vehicle that it is tracked.
struct IndicatorRule: Sendable, Hashable {
    /// Long enough to be seen, short enough to be a blink.
    private static let blink = Duration.milliseconds(200)

    private enum Shine: Sendable, Hashable { case dark, blink, steady }

    private var shine = Shine.dark

    /// Shines all the time, or not at all, as the option wants it now.
    mutating func follow(_ indicator: Indicator, isTracking: Bool) -> [Effect] {
        switch indicator {
        case .off: set(.dark)
        case .updates: shine == .steady ? set(.dark) : []
        case .always: set(isTracking ? .steady : .dark)
        }
    }

    /// Something was recorded that is to be seen.
    mutating func recorded(at now: Instant) -> [Effect] { set(.blink) + [.arm(.light, at: now + Self.blink)] }

    /// The blink is over.
    mutating func timer(_ indicator: Indicator) -> [Effect] { indicator == .updates ? set(.dark) : [] }

    private mutating func set(_ new: Shine) -> [Effect] {
        defer { shine = new }
        let isLit = new != .dark
        return isLit == (shine != .dark) ? [] : [.light(isLit: isLit)]
    }
}
