package import Hardware
package import Quantities
package import Tracking

/// The accelerometer, the ignition line and the beacon scanner of a vehicle that repeats a recorded drive.
package final class DriveSensor: MotionSensor {
    package let errorCount = 0
    /// What the log calls it.
    package let name = "recorded drive"

    private var track: SensorTrack
    private var isStreaming = false
    private var done = Instant.boot

    /// Plays a timeline from that moment on.
    package init(_ timeline: Timeline, from moment: Instant = .boot) {
        track = SensorTrack(timeline)
        if moment > .boot { track.skip(to: moment) }
    }

    /// Wakes when the next second of samples is complete.
    package var wait: Wait { Wait(deadline: track.nextTime(after: done, isStreaming: isStreaming)) }

    /// Plays all that has happened until `now`.
    package func advance(at now: Instant) -> [Event] {
        var events: [Event] = []
        while let next = track.next(through: now, isStreaming: isStreaming) { events.append(next.event) }
        done = now
        return events
    }

    /// Streams verdicts from now on, or reports only that motion has begun.
    package func stream(_ isStreaming: Bool, at now: Instant) { self.isStreaming = isStreaming }
}
