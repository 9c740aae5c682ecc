package import Quantities

/// Moments as people write them: `now`, `-10m`, `14:05`, `2026-01-31T14:05:00Z`.
package struct MomentText: Sendable {
    private let now: Timestamp
    private let zone: TimeZoneRules

    package init(now: Timestamp, zone: TimeZoneRules) {
        self.now = now
        self.zone = zone
    }

    /// Nil also for a date without a time of day. A text without an offset is in the zone.
    package func parse(_ text: String) -> Timestamp? {
        if text == "now" { return now }
        if text.first == "-" { return DurationText.parse(String(text.dropFirst())).map { now - $0 } }
        if let time = ISO8601.time(text) { return zone.moment(showing: today + time) }
        return ISO8601(text)?.timestamp(in: zone)
    }

    /// Midnight of the zone's present day by its wall clock, in the form that `moment(showing:)` expects.
    private var today: Timestamp {
        let date = zone.local(at: now).date
        return Timestamp(year: date.year, month: date.month, day: date.day)
    }
}

package enum DurationText {
    private static let units: [(symbol: Character, seconds: Double)] = [
        ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400),
    ]

    /// Reads seconds, or a number with a unit; nil if the number is negative or at least 10⁹.
    package static func parse(_ text: String) -> Duration? {
        let unit = units.first { text.last == $0.symbol }
        let digits = unit == nil ? text : String(text.dropLast())
        guard let number = Double(digits), number >= 0, number < 1e9 else { return nil }
        return Duration(inSeconds: number * (unit?.seconds ?? 1))
    }

    /// Writes a duration in the largest unit that leaves no fraction, or else in seconds.
    package static func write(_ span: Duration) -> String {
        let seconds = span.inSeconds
        let unit = units.last { seconds >= $0.seconds && (seconds / $0.seconds).rounded() == seconds / $0.seconds }
        guard let unit else { return "\(NumberText.write(seconds))s" }
        return "\(Int(seconds / unit.seconds))\(unit.symbol)"
    }
}
