package import Hardware
package import Quantities
package import Tracking

/// The GPS receiver of a vehicle that repeats a recorded drive.
package final class DriveReceiver: Receiver {
    /// What the log calls it.
    package let name = "recorded receiver"
    /// Never out of service.
    package let complaint: String? = nil

    private var track: FixTrack
    private let timeToFirstFix: Duration
    private var wantedFrom: Instant?
    private var isAnnounced = false

    /// Plays a timeline with a receiver that needs `timeToFirstFix` after it was started.
    package init(_ timeline: Timeline, timeToFirstFix: Duration = .seconds(1)) {
        track = FixTrack(timeline)
        self.timeToFirstFix = timeToFirstFix
    }

    /// Wakes at the next report, while reports are wanted.
    package var wait: Wait {
        guard let wantedFrom else { return Wait() }
        var ahead = track
        return Wait(deadline: ahead.nextTime(from: wantedFrom))
    }

    /// Plays the reports that came until `now`.
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

    /// Wants reports from now on.
    package func start(at now: Instant) { wantedFrom = wantedFrom ?? now + timeToFirstFix }

    /// Wants no more reports.
    package func stop(at now: Instant) { wantedFrom = nil }
}

/// The accelerometer, the ignition line and the beacon scanner of a vehicle that repeats a recorded drive.
package final class DriveSensor: MotionSensor {
    package let errorCount = 0
    /// What the log calls it.
    package let name = "recorded drive"
    /// Never out of service.
    package let complaint: String? = nil

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

/// The clock of a recorded world, which runs `speed` times as fast as the real one.
///
/// The world goes on while the program does not run, when both runs are told the same moment at which it began.
package final class ScaledClock: LoopClock {
    private let real: any LoopClock
    private let began: Instant
    private let speed: Double
    private let isSet: Bool

    /// Begins a world at the real moment `began`; `speed` is above 0.
    ///
    /// A clock that is not set shows 1970, as on a board without a clock chip.
    package init(real: any LoopClock, began: Instant, speed: Double, isSet: Bool = true) {
        self.isSet = isSet
        self.real = real
        self.began = began
        self.speed = speed
    }

    /// The present moment of the world.
    package func now() -> Instant { Instant(seconds: (real.now() - began).inSeconds * speed) }

    /// The date in the world: recordings begin at `SimulatedDate.epoch`.
    package func wallTime() -> (time: Timestamp, isTrusted: Bool) {
        ((isSet ? SimulatedDate.epoch : Timestamp(milliseconds: 0)) + (now() - .boot), isSet)
    }

    /// The boot of the computer; the world has none of its own.
    package var bootID: String { real.bootID }

    /// How long to wait, in real time, until that moment of the world.
    package func realTime(until moment: Instant) -> Duration {
        max(.zero, Duration(inSeconds: (moment - now()).inSeconds / speed))
    }
}
