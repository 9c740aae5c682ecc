import Calendar
import Quantities

/// The horizontal axis that all drawings over time share, with marks at round local times.
struct TimeAxis: Sendable {
    struct Mark: Sendable, Hashable {
        /// From 0 to 1.
        let share: Double
        let label: String
        let isMinor: Bool
    }

    let span: ClosedRange<Timestamp>
    let text: ReportText

    /// The width in units; the result of `x` is in units too.
    static let width = 1000.0

    private var length: Duration { span.upperBound - span.lowerBound }

    /// From 0 to 1.
    func share(_ time: Timestamp) -> Double {
        guard length > .zero else { return 0 }
        return min(1, max(0, (time - span.lowerBound) / length))
    }

    func x(_ time: Timestamp) -> Double { share(time) * Self.width }

    var marks: [Mark] {
        length > .seconds(5 * 86_400) ? dayMarks : timeMarks
    }

    private var timeMarks: [Mark] {
        let steps = [10, 30, 60, 120, 300, 600, 1800, 3600, 7200, 10_800, 21_600, 43_200]
        let seconds = length.inSeconds
        let step = steps.first { seconds / Double($0) <= 9 } ?? 86_400
        let isFine = step < 60
        return moments(every: step).enumerated().map { index, time in
            Mark(
                share: share(time), label: isFine ? text.preciseClock(time) : text.clock(time), isMinor: index % 2 == 1)
        }
    }

    private var dayMarks: [Mark] {
        moments(every: 86_400).enumerated().map { index, time in
            let day = text.zone.local(at: time).date.day
            return Mark(share: share(time), label: "\(day)", isMinor: day % 5 != 0 && index != 0)
        }
    }

    /// When the zone's clocks show a multiple of `step` seconds since midnight.
    private func moments(every step: Int) -> [Timestamp] {
        let first = text.zone.local(at: span.lowerBound).secondsSince1970
        var shown = floorDivide(first + Int64(step) - 1, Int64(step)) * Int64(step)
        var moments: [Timestamp] = []
        while moments.count < 400 {
            let moment = text.zone.moment(showing: Timestamp(milliseconds: shown * 1000))
            guard moment <= span.upperBound else { break }
            // In spring the clocks skip an hour, so a later `shown` may result in the same moment or an earlier one.
            if moment >= span.lowerBound, moments.last.map({ $0 < moment }) ?? true { moments.append(moment) }
            shown += Int64(step)
        }
        return moments
    }
}
