package import Tracking

/// How often a controller begins to listen and for how long, counted in 0.625 ms as it counts.
package struct ScanTiming: Sendable, Hashable {
    /// From one beginning to the next.
    package let interval: UInt16
    /// How much of that it listens.
    package let window: UInt16

    /// The timing for a duty; nothing when that is not to listen.
    package init?(_ duty: ScanDuty) {
        guard let interval = duty.interval, let window = duty.window else { return nil }
        self.interval = Self.units(interval)
        self.window = Self.units(window)
    }

    /// What legacy scanning takes: 2.5 ms to 10.24 s.
    private static let range = 0x0004...0x4000
    private static let unit = Duration.microseconds(625)

    private static func units(_ span: Duration) -> UInt16 {
        UInt16(min(max(Int((span / unit).rounded()), range.lowerBound), range.upperBound))
    }
}
