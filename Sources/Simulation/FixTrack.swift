package import Quantities
package import Tracking

/// Plays what the receiver of a timeline reports; while the vehicle is parked between drives, the last place once a second.
package struct FixTrack: Sendable {
    private let stretches: [Timeline.Stretch]
    private var stretch = 0
    private var index = 0

    /// Begins at the start of the timeline.
    package init(_ timeline: Timeline) { stretches = timeline.stretches }

    /// When the first report at or after `moment` comes; nothing when there is none.
    package mutating func nextTime(from moment: Instant) -> Instant? {
        skip(to: moment)
        if let parked = parkedPlace(at: moment) { return parked.time }
        guard stretch < stretches.count else { return nil }
        if index < stretches[stretch].drive.fixes.count { return recorded.time }
        // In the last second before the next drive: its first report is the next one.
        let following = stretches[(stretch + 1)...].first { !$0.drive.fixes.isEmpty }
        return following.flatMap { next in next.drive.fixes.first.map { next.start + $0.time } }
    }

    /// The report that comes at `moment`, dated on the timeline; nothing when none does.
    package mutating func fix(at moment: Instant) -> Fix? {
        skip(to: moment)
        if let parked = parkedPlace(at: moment) { return parked.time == moment ? parked.fix : nil }
        guard stretch < stretches.count, index < stretches[stretch].drive.fixes.count else { return nil }
        return recorded.time == moment ? recorded.fix : nil
    }

    private var recorded: (time: Instant, fix: Fix) {
        let (current, report) = (stretches[stretch], stretches[stretch].drive.fixes[index])
        var fix = report.value
        // Drives follow each other on one timeline, so their dates do too.
        fix.time = fix.time.map { $0 + (current.start - .boot) }
        return (current.start + report.time, fix)
    }

    /// Goes on to the first report at or after `moment`.
    private mutating func skip(to moment: Instant) {
        while stretch + 1 < stretches.count, stretches[stretch + 1].start <= moment {
            stretch += 1
            index = 0
        }
        guard stretch < stretches.count else { return }
        let fixes = stretches[stretch].drive.fixes
        while index < fixes.count, recorded.time < moment { index += 1 }
    }

    /// The place where the vehicle stands between drives, at the next full second; nothing while a drive plays.
    private func parkedPlace(at moment: Instant) -> (time: Instant, fix: Fix)? {
        guard stretch < stretches.count, index >= stretches[stretch].drive.fixes.count else { return nil }
        let current = stretches[stretch]
        guard let last = current.drive.fixes.last else { return nil }
        // A receiver that fell silent during the drive says nothing before the drive is over.
        let moment = max(moment, current.end)
        let since = moment - (current.start + last.time)
        let seconds = max(1, Int64(since.inSeconds.rounded(.up)))
        let time = current.start + last.time + .seconds(seconds)
        if stretch + 1 < stretches.count, time >= stretches[stretch + 1].start { return nil }
        var fix = last.value
        fix.time = fix.time.map { $0 + (current.start - .boot) + .seconds(seconds) }
        fix.speed = .zero
        fix.course = nil
        return (time, fix)
    }
}
