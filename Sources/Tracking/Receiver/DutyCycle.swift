import Quantities

/// Rests the receiver between two fixes when no rule can want one for long enough.
struct DutyCycle: Sendable, Hashable {
    /// Shorter intervals are not worth switching for (spec: from 120 s on).
    private static let shortest = Duration.seconds(120)
    /// The search for a fix costs as much as tracking: resting pays when it lasts this many times longer.
    private static let worthwhile = 3.0
    /// What a receiver without a measured time to first fix is taken to need: a warm start in the open.
    private static let usualTimeToFix = Duration.seconds(35)

    /// How long the receiver may rest before it must search for the fix that is due after `interval`; nothing: stay on.
    static func rest(before interval: Duration, timeToFix: Duration?) -> Duration? {
        let search = timeToFix ?? usualTimeToFix
        let rest = interval - search
        return interval >= shortest && rest >= search * worthwhile ? rest : nil
    }
}
