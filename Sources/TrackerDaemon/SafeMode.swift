package import Hardware
package import Quantities

/// The mode after repeated crashes.
///
/// In this mode trackerd records, but does not use the parts that handle data from other computers and radios. Such data, for
/// example a server's answer or a beacon's advertisement, is the most likely cause of repeated crashes. trackerd still halts
/// the board, because this protects the vehicle's battery. It also still controls the indicator light, because the light
/// informs the people in the vehicle.
package struct SafeMode: Fault {
    /// The duration of the mode; then trackerd tries all parts again.
    package static let duration = Duration.seconds(1800)
    /// If at least this number of recent starts did not end properly, the next start begins in this mode.
    private static let limit = 5
    /// Only starts within this time before now are recent.
    private static let window = Duration.seconds(3600)

    /// The number of starts within the last hour that did not end properly.
    package let failures: Int

    /// Makes the mode if too many of the `unended` starts are recent; returns nil if trackerd can start as usual.
    package init?(after unended: [Instant], at now: Instant) {
        failures = unended.count { $0 <= now && now - $0 <= Self.window }
        guard failures >= Self.limit else { return nil }
    }

    /// Returns the starts to store when this mode ends; with them, one more crash within an hour begins this mode
    /// again.
    package static func attempt(at now: Instant) -> [Instant] { Array(repeating: now, count: limit - 1) }

    package var severity: FaultSeverity { .degraded }
    package var subject: String { "safe mode" }
    package var cause: String {
        "trackerd ended unexpectedly \(failures) times within an hour, so it records, but does not upload or scan for beacons"
    }
    package var remedy: String? {
        "After 30 minutes, trackerd tries to upload and to scan again. `journalctl -u trackerd` shows the cause. To try earlier, restart trackerd."
    }
}
