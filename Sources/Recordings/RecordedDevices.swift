package import Hardware
package import Quantities
package import Tracking

package final class DriveReceiver: Receiver {
    package let name = "recorded receiver"

    private var track: FixTrack
    private let timeToFirstFix: Duration
    private var wantedFrom: Instant?
    private var isAnnounced = false

    /// After each start, the first fix comes after `timeToFirstFix`.
    package init(_ timeline: Timeline, timeToFirstFix: Duration = .seconds(1)) {
        track = FixTrack(timeline)
        self.timeToFirstFix = timeToFirstFix
    }

    package var wait: Wait {
        guard let wantedFrom else { return Wait() }
        var ahead = track
        return Wait(deadline: ahead.nextTime(from: wantedFrom))
    }

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

    package func start(at now: Instant) { wantedFrom = wantedFrom ?? now + timeToFirstFix }

    package func stop(at now: Instant) { wantedFrom = nil }
}

package final class DriveSensor: MotionSensor {
    package let errorCount = 0
    package let name = "recorded drive"

    private var track: SensorTrack
    private var isStreaming = false
    private var done = Instant.boot

    package init(_ timeline: Timeline, from moment: Instant = .boot) {
        track = SensorTrack(timeline)
        if moment > .boot { track.skip(to: moment) }
    }

    /// Waits until the next second of samples is complete, or the next drive begins.
    package var wait: Wait { Wait(deadline: track.nextTime(after: done, isStreaming: isStreaming)) }

    package func advance(at now: Instant) -> [Event] {
        var events: [Event] = []
        while let next = track.next(through: now, isStreaming: isStreaming) { events.append(next.event) }
        done = now
        return events
    }

    /// While parked, only a streaming accelerometer reports stillness once a second.
    package func stream(_ isStreaming: Bool, at now: Instant) { self.isStreaming = isStreaming }

    /// The daemon does not halt a simulated board.
    package func armWakeUp(at now: Instant) -> (any Fault)? { nil }
}
