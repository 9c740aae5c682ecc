import Calendar
import Glibc
package import Quantities
import Tracking

/// Moments as people write them: `now`, `-10m`, `14:05`, `2026-01-31T14:05:00Z`.
package struct MomentText {
    private let now: Timestamp
    private let offset: (Timestamp) -> Duration

    /// Reads moments of this day in a zone; `offset` is what its clocks are ahead of UTC at a moment.
    package init(now: Timestamp, offset: @escaping (Timestamp) -> Duration = MomentText.localOffset) {
        self.now = now
        self.offset = offset
    }

    /// What the clocks of this computer's zone are ahead of UTC at that moment.
    package static func localOffset(_ moment: Timestamp) -> Duration {
        var seconds = time_t(moment.seconds)
        var parts = tm()
        localtime_r(&seconds, &parts)
        return .seconds(parts.tm_gmtoff)
    }

    /// Reads a span of time, in seconds or with a unit; nothing when it is none.
    package static func span(_ text: String) -> Duration? { DurationText.parse(text) }

    /// Reads a moment, in this zone when it names none; gives nothing when it is none.
    package func parse(_ text: String) -> Timestamp? {
        if text == "now" { return now }
        if text.first == "-" { return DurationText.parse(String(text.dropFirst())).map { now - $0 } }
        let halves = text.split(maxSplits: 1) { $0 == "T" || $0 == " " }
        switch halves.count {
        case 1: return timeOfDay(halves[0]).map { moment(today + $0) }
        case 2: return dateAndTime(halves[0], halves[1])
        default: return nil
        }
    }

    private func dateAndTime(_ date: Substring, _ time: Substring) -> Timestamp? {
        let numbers = date.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 3, let year = numbers[0], let month = numbers[1], let day = numbers[2],
            (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        let start = Timestamp(year: year, month: month, day: day)
        // A 30th of February would be another date when written down.
        guard start.description.hasPrefix(date) else { return nil }
        guard let mark = time.lastIndex(where: { "Z+-".contains($0) }) else {
            return timeOfDay(time).map { moment(start + $0) }
        }
        guard let clock = timeOfDay(time[..<mark]) else { return nil }
        if time[mark...] == "Z" { return start + clock }
        guard let ahead = timeOfDay(time[time.index(after: mark)...]) else { return nil }
        return time[mark] == "+" ? start + clock - ahead : start + clock + ahead
    }

    /// Reads `HH:MM`, with seconds or without.
    private func timeOfDay(_ text: Substring) -> Duration? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts[0].count <= 2, let hours = Int(parts[0]), (0...23).contains(hours),
            parts[1].count == 2, let minutes = Int(parts[1]), (0...59).contains(minutes)
        else { return nil }
        let seconds = parts.count == 3 ? Double(parts[2]) : 0
        guard let seconds, seconds >= 0, seconds < 60 else { return nil }
        return .seconds(hours * 3600 + minutes * 60) + Duration(inSeconds: seconds)
    }

    /// The beginning of this day on the clocks of the zone, as if they showed UTC.
    private var today: Timestamp {
        let shown = now + offset(now)
        return shown - .milliseconds(shown.milliseconds % 86_400_000)
    }

    /// The moment at which the clocks of the zone show this.
    private func moment(_ shown: Timestamp) -> Timestamp { shown - offset(shown - offset(shown)) }
}
