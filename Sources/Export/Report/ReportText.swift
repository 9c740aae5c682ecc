import Calendar
import Quantities

struct ReportText: Sendable, Hashable {
    let zone: TimeZoneRules

    func clock(_ time: Timestamp) -> String {
        let local = zone.local(at: time)
        return "\(padded(local.hour, 2)):\(padded(local.minute, 2))"
    }

    func preciseClock(_ time: Timestamp) -> String { "\(clock(time)):\(padded(zone.local(at: time).second, 2))" }

    func shortDay(_ time: Timestamp) -> String {
        let date = zone.local(at: time).date
        return "\(date.day) \(Self.month(date).prefix(3))"
    }

    func offset(_ time: Timestamp) -> String {
        let minutes = Int(zone.offset(at: time).inSeconds) / 60
        guard minutes != 0 else { return "UTC" }
        let rest = minutes.magnitude % 60
        return "UTC\(minutes < 0 ? "−" : "+")\(minutes.magnitude / 60)\(rest == 0 ? "" : ":\(padded(Int(rest), 2))")"
    }

    func offsets(_ span: ClosedRange<Timestamp>) -> String {
        let (first, last) = (offset(span.lowerBound), offset(span.upperBound))
        return first == last ? first : "\(first), later \(last)"
    }

    static func day(_ date: CivilDate) -> String {
        "\(weekdays[date.weekday]), \(date.day) \(month(date)) \(date.year)"
    }

    static func month(_ year: Int, _ month: Int) -> String { "\(months[(month + 11) % 12]) \(year)" }

    private static func month(_ date: CivilDate) -> String { months[(date.month + 11) % 12] }

    /// Writes metres below a kilometre, and otherwise kilometres with two, one or no decimals.
    static func distance(_ distance: Metres) -> String {
        let metres = max(0, min(distance.value, 1e12))
        if metres < 999.5 { return "\(Int(metres.rounded())) m" }
        if metres < 9995 {
            let tens = Int((metres / 10).rounded())
            return "\(tens / 100).\(padded(tens % 100, 2)) km"
        }
        let hundreds = Int((metres / 100).rounded())
        return metres < 999_950 ? "\(hundreds / 10).\(hundreds % 10) km" : "\((hundreds + 5) / 10) km"
    }

    /// Writes two units from one minute on, such as `2 h 5 min`, but from 10 to 60 minutes only minutes.
    static func duration(_ duration: Duration) -> String {
        let seconds = Int(max(0, min(duration.inSeconds, 1e11)).rounded())
        switch seconds {
        case 172_800...: return "\(seconds / 86_400) d \(seconds / 3600 % 24) h"
        case 3600...: return "\(seconds / 3600) h \(seconds / 60 % 60) min"
        case 600...: return "\((seconds + 30) / 60) min"
        case 60...: return seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds / 60) min \(seconds % 60) s"
        default: return "\(seconds) s"
        }
    }

    static func speed(_ speed: MetresPerSecond) -> String {
        "\(Int(max(0, min(speed.value * 3.6, 1e6)).rounded())) km/h"
    }

    static func share(_ part: Duration, of whole: Duration) -> String {
        guard whole > .zero else { return "0 %" }
        return "\(Int((part / whole * 100).rounded())) %"
    }

    /// Writes the place to about ten metres.
    static func place(_ place: Coordinate) -> String {
        let numbers = [place.latitude, place.longitude].map { PlainText.number($0, decimals: 4) ?? "0" }
        return numbers.joined(separator: ", ")
    }

    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
}
