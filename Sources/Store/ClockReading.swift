package import Quantities

/// What the clocks of the computer say at one moment.
package struct ClockReading: Sendable, Hashable {
    /// The boot that `now` counts from: another text after each.
    package var boot: String
    /// The time since boot.
    package var now: Instant
    /// UTC, as far as it is known.
    package var time: Timestamp
    /// Whether `time` goes back to GPS or to a time server.
    package var isTrusted: Bool
    /// Whether `time` is certain enough to remove what is old by it: a few fixes may be years wrong.
    package var isConfirmed: Bool

    /// Makes a reading, confirmed if it is trusted unless something else is said.
    package init(boot: String, now: Instant, time: Timestamp, isTrusted: Bool, isConfirmed: Bool? = nil) {
        self.boot = boot
        self.now = now
        self.time = time
        self.isTrusted = isTrusted
        self.isConfirmed = isConfirmed ?? isTrusted
    }
}

extension Instant {
    /// Whole milliseconds since boot, as the database keeps them.
    var milliseconds: Int64 { nanoseconds / 1_000_000 }
}
