package import Hardware
package import Quantities

/// The mode after repeated crashes. trackerd records, but does not use the parts that handle data from other computers and
/// radios, such as a server's answer or a beacon's advertisement, which are the most likely cause. If the upload thread
/// served a target at each crash, only these targets are left out. trackerd still halts the board, which protects the
/// battery, and controls the light, which informs the people in the vehicle.
package struct SafeMode: Fault {
    /// The length of this mode, after which all parts are tried again.
    package static let duration = Duration.seconds(1800)
    /// The mode begins after this number of starts within `window` whose runs had no proper end.
    private static let limit = 5
    /// Only starts within this time before now count.
    private static let window = Duration.seconds(3600)

    /// The number of such starts within the last hour.
    package let failures: Int
    /// The targets that are left out; if there are none, all targets and the beacon scanner are left out.
    package let targets: [String]

    /// Nil if trackerd can start as usual. `serving` has the target that each run served when it ended.
    package init?(after unended: [Instant], serving: [String?] = [], at now: Instant) {
        let recent = unended.indices.filter { unended[$0] <= now && now - unended[$0] <= Self.window }
        failures = recent.count
        guard failures >= Self.limit else { return nil }
        let served = recent.map { serving.indices.contains($0) ? serving[$0] : nil }
        targets = served.contains(nil) ? [] : Array(Set(served.compactMap { $0 })).sorted()
    }

    package func leavesOut(_ target: String) -> Bool { targets.isEmpty || targets.contains(target) }

    package var stopsScanner: Bool { targets.isEmpty }

    /// The starts to note at the end of this mode; one more crash within an hour begins it again.
    package static func attempt(at now: Instant) -> [Instant] { Array(repeating: now, count: limit - 1) }

    package var attemptTargets: [String?] {
        targets.isEmpty ? [] : (0..<Self.limit - 1).map { targets[$0 % targets.count] }
    }

    package var severity: FaultSeverity { .degraded }
    package var subject: String { "safe mode" }
    package var cause: String {
        let ends = "trackerd ended unexpectedly \(failures) times within an hour"
        guard !targets.isEmpty else { return "\(ends), so it records, but does not upload or scan for beacons" }
        return "\(ends) while it served \(targets.joined(separator: ", ")), so it does not upload there"
    }
    package var remedy: String? {
        let parts = targets.isEmpty ? "to upload and to scan" : "to upload there"
        return
            "After 30 minutes, trackerd tries \(parts) again. `journalctl -u trackerd` shows the cause. To try earlier, restart trackerd."
    }
}
