package import Hardware
package import Quantities

/// The mode after repeated crashes: trackerd records, and does without the parts that handle data from other computers and radios.
///
/// These parts are the likeliest cause of a crash that repeats itself: a server's answer, or a beacon's advertisement. The halt of
/// the board remains on, because it protects the vehicle's battery; the indicator light too, because it informs the people in the
/// vehicle.
package struct SafeMode: Fault {
    /// How long the mode lasts; then trackerd tries all parts again.
    package static let duration = Duration.seconds(1800)
    /// The number of starts without a proper end from which the next start is in this mode.
    private static let limit = 5
    /// Only the starts within this time count.
    private static let window = Duration.seconds(3600)

    /// The number of starts within an hour that did not end properly.
    package let failures: Int

    /// Decides by the starts that did not end properly; returns nil if trackerd must start as usual.
    package init?(after unended: [Instant], at now: Instant) {
        failures = unended.count { $0 <= now && now - $0 <= Self.window }
        guard failures >= Self.limit else { return nil }
    }

    /// The history for the attempt after this mode: one more crash within an hour starts this mode again.
    package static func attempt(at now: Instant) -> [Instant] { Array(repeating: now, count: limit - 1) }

    package var severity: FaultSeverity { .degraded }
    package var subject: String { "safe mode" }
    package var cause: String {
        "trackerd ended unexpectedly \(failures) times within an hour, so it records, but does not upload or scan for beacons"
    }
    package var remedy: String? {
        "After 30 minutes, trackerd tries to upload and to scan again. `journalctl -u trackerd` shows the cause; restart trackerd to try this now."
    }
}
