import Quantities
import TrackingOptions

/// Decides when the light on the board shows that the vehicle is tracked.
struct IndicatorRule: Sendable, Hashable {
    /// Long enough to be seen, short enough to be a blink.
    private static let blink = Duration.milliseconds(200)

    private enum LightState: Sendable, Hashable { case dark, blink, steady }

    private var state = LightState.dark

    /// Lights the light all the time, or not at all, as the option wants it now.
    mutating func follow(_ indicator: Indicator, isTracking: Bool, into effects: inout EffectBuffer) {
        switch indicator {
        case .off: set(.dark, into: &effects)
        case .updates: if state == .steady { set(.dark, into: &effects) }
        case .always: set(isTracking ? .steady : .dark, into: &effects)
        }
    }

    /// Blinks for a record.
    mutating func recorded(at now: Instant, into effects: inout EffectBuffer) {
        set(.blink, into: &effects)
        effects.arm(.light, at: now + Self.blink)
    }

    /// Ends a blink.
    mutating func timer(_ indicator: Indicator, into effects: inout EffectBuffer) {
        if indicator == .updates { set(.dark, into: &effects) }
    }

    private mutating func set(_ new: LightState, into effects: inout EffectBuffer) {
        let (wasLit, isLit) = (state != .dark, new != .dark)
        state = new
        if isLit != wasLit { effects.append(.light(isLit: isLit)) }
    }
}
