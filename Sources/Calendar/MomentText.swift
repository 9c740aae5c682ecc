package import Quantities

/// Moments as people write them: `now`, `-10m`, `14:05`, `2026-01-31T14:05:00Z`.
package struct MomentText: Sendable {
    private let now: Timestamp
    private let zone: TimeZoneRules

    /// Reads moments relative to `now`, with times of day as the clocks of `zone` show them.
    package init(now: Timestamp, zone: TimeZoneRules) {
        self.now = now
        self.zone = zone
    }

    /// Reads a moment, in this zone if the text names no offset; nil if the text is no moment.
    package func parse(_ text: String) -> Timestamp? {
        if text == "now" { return now }
        if text.first == "-" { return DurationText.parse(String(text.dropFirst())).map { now - $0 } }
        if let time = ISO8601.time(text) { return zone.moment(showing: today + time) }
        return ISO8601(text)?.timestamp(in: zone)
    }

    /// Midnight of the current day, as a clock in UTC that showed the zone's time would count it.
    private var today: Timestamp {
        let date = zone.local(at: now).date
        return Timestamp(year: date.year, month: date.month, day: date.day)
    }
}
