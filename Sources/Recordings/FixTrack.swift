package import Quantities
package import Tracking

/// Repeats the receiver's reports of a timeline, and after each drive its last position once a second.
package struct FixTrack {
    private let timeline: Timeline
    private var stretch = 0
    private var index = 0
    private var fixes: [Drive.Timed<Fix>] = []

    package init(_ timeline: Timeline) {
        self.timeline = timeline
        load()
    }

    package mutating func nextTime(from moment: Instant) -> Instant? {
        skip(to: moment)
        if let start, index < fixes.count { return fixes[index].moment(after: start) }
        // In the last second before the next drive, that drive's first report is the next.
        return parkedTime(at: moment) ?? current?.nextFix
    }

    package mutating func fix(at moment: Instant) -> Fix? {
        skip(to: moment)
        guard let current else { return nil }
        if index < fixes.count {
            guard fixes[index].moment(after: current.start) == moment else { return nil }
            return dated(fixes[index].value, after: current.dateShift)
        }
        guard let last = fixes.last, parkedTime(at: moment) == moment else { return nil }
        var fix = dated(last.value, after: current.dateShift + (moment - current.start) - last.time)
        fix.speed = .zero
        fix.course = nil
        return fix
    }

    private var current: Timeline.Stretch? {
        stretch < timeline.stretches.count ? timeline.stretches[stretch] : nil
    }

    private var start: Instant? { stretch < timeline.stretches.count ? timeline.stretches[stretch].start : nil }

    private var nextStart: Instant? {
        stretch + 1 < timeline.stretches.count ? timeline.stretches[stretch + 1].start : nil
    }

    private func dated(_ fix: Fix, after span: Duration) -> Fix {
        var fix = fix
        fix.time = fix.time.map { $0 + span }
        return fix
    }

    private mutating func skip(to moment: Instant) {
        let before = stretch
        while let nextStart, nextStart < moment { stretch += 1 }
        if stretch != before { load() }
        advance(to: moment)
        // A drive may begin at the moment of the previous drive's last report, which comes first.
        while index >= fixes.count, nextStart == moment {
            stretch += 1
            load()
            advance(to: moment)
        }
    }

    private mutating func advance(to moment: Instant) {
        guard let start else { return }
        let limit = (moment - start).nanoseconds
        while index < fixes.count, fixes[index].nanoseconds < limit { index += 1 }
    }

    private mutating func load() {
        index = 0
        fixes = current.map { timeline.drive(of: $0).fixes } ?? []
    }

    /// Returns the next moment that is a whole number of seconds after the drive's last report; nil before that report,
    /// and just before the next drive.
    private func parkedTime(at moment: Instant) -> Instant? {
        guard let current, index >= fixes.count, let last = fixes.last else { return nil }
        // If a receiver has stopped reporting during a drive, it sends no report until the drive ends.
        let moment = max(moment, current.end)
        let end = current.start + last.time
        let time = end + .seconds(max(1, Int64((moment - end).inSeconds.rounded(.up))))
        return nextStart.map { time < $0 } ?? true ? time : nil
    }
}
