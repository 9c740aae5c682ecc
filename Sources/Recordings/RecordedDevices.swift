package import Hardware
package import Quantities
package import Tracking

/// A GPS receiver that repeats the fixes of recorded drives.
package final class DriveReceiver: Receiver {
    /// The name in log lines.
    package let name = "recorded receiver"

    private var track: FixTrack
    private let timeToFirstFix: Duration
    private var wantedFrom: Instant?
    private var isAnnounced = false

    /// Makes a receiver that repeats a timeline; after each start, the first fix comes after `timeToFirstFix`.
    package init(_ timeline: Timeline, timeToFirstFix: Duration = .seconds(1)) {
        track = FixTrack(timeline)
        self.timeToFirstFix = timeToFirstFix
    }

    /// Waits for the next report while the receiver is on.
    package var wait: Wait {
        guard let wantedFrom else { return Wait() }
        var ahead = track
        return Wait(deadline: ahead.nextTime(from: wantedFrom))
    }

    /// Returns the reports up to `now`.
    package func advance(at now: Instant) -> [Event] {
        var events: [Event] = []
        while let from = wantedFrom, let moment = track.nextTime(from: from), moment <= now {
            if !isAnnounced { events.append(.receiver(isThere: true)) }
            isAnnounced = true
            if let fix = track.fix(at: moment) { events.append(.fix(fix)) }
            wantedFrom = moment + .nanoseconds(1)
        }
        return events
    }

    /// Switches the receiver on.
    package func start(at now: Instant) { wantedFrom = wantedFrom ?? now + timeToFirstFix }

    /// Switches the receiver off.
    package func stop(at now: Instant) { wantedFrom = nil }
}

/// The accelerometer, the ignition line and the beacon scanner of a vehicle; they repeat recorded drives.
package final class DriveSensor: MotionSensor {
    package let errorCount = 0
    /// The name in log lines.
    package let name = "recorded drive"

    private var track: SensorTrack
    private var isStreaming = false
    private var done = Instant.boot

    /// Makes a sensor that repeats a timeline from `moment` on.
    package init(_ timeline: Timeline, from moment: Instant = .boot) {
        track = SensorTrack(timeline)
        if moment > .boot { track.skip(to: moment) }
    }

    /// Waits until the next second of samples is complete, or until the next drive begins.
    package var wait: Wait { Wait(deadline: track.nextTime(after: done, isStreaming: isStreaming)) }

    /// Returns the events up to `now`.
    package func advance(at now: Instant) -> [Event] {
        var events: [Event] = []
        while let next = track.next(through: now, isStreaming: isStreaming) { events.append(next.event) }
        done = now
        return events
    }

    /// Sets whether the accelerometer streams.
    ///
    /// While the vehicle is parked, only a streaming accelerometer reports stillness once per second.
    package func stream(_ isStreaming: Bool, at now: Instant) { self.isStreaming = isStreaming }

    /// Returns nil, because the daemon does not halt a simulated board.
    package func armWakeUp(at now: Instant) -> (any Fault)? { nil }
}
