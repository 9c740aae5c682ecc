package import Quantities

/// Drives end to end, the vehicle parked in between, as one stretch of time that begins at `Instant.boot`.
package struct Timeline: Sendable {
    /// A drive and when it begins.
    package struct Stretch: Sendable {
        /// When the drive begins.
        package let start: Instant
        /// What was recorded.
        package let drive: Drive

        /// When the drive ends and the vehicle is parked.
        package var end: Instant { start + drive.length }
    }

    /// The drives, in order.
    package let stretches: [Stretch]

    /// Puts drives end to end, parked for `gap` in between.
    package init(_ drives: [Drive], gap: Duration) {
        var start = Instant.boot
        var stretches: [Stretch] = []
        for drive in drives {
            let stretch = Stretch(start: start, drive: drive)
            stretches.append(stretch)
            start = stretch.end + gap
        }
        self.stretches = stretches
    }

    /// When the last drive ends.
    package var end: Instant { stretches.last?.end ?? .boot }
}
