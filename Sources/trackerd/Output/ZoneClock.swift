import Calendar
import Quantities

struct ZoneClock {
    let zone: TimeZoneRules

    /// A text such as `2026-01-31 14:05:09 +01:00`; UTC ends with `Z`.
    func text(_ time: Timestamp) -> String { text(time, 8) }

    func shortText(_ time: Timestamp) -> String { text(time, 5) }

    /// Replaces each time in UTC, such as `2026-01-31T13:05:09.250Z`, with the time of the zone.
    func localized(_ text: String) -> String {
        text.replacing(/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(\.[0-9]+)?Z/) { match in
            let time = String(match.output.0)
            return ISO8601(time)?.timestamp().map(self.text) ?? time
        }
    }

    private func text(_ time: Timestamp, _ characters: Int) -> String {
        let offset = zone.offset(at: time)
        let shown = (time + offset).description
        let minutes = Int(offset.inSeconds) / 60
        let sign = minutes < 0 ? "-" : "+"
        let zone = minutes == 0 ? "Z" : " \(sign)\(padded(minutes.magnitude / 60)):\(padded(minutes.magnitude % 60))"
        return "\(shown.prefix(10)) \(shown.dropFirst(11).prefix(characters))\(zone)"
    }

    private func padded(_ number: UInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
