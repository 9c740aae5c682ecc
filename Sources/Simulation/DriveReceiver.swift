package import Hardware
package import Quantities
package import Tracking

/// The GPS receiver of a vehicle that repeats a recorded drive.
package final class DriveReceiver: Receiver {
    /// What the log calls it.
    package let name = "recorded receiver"

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
