import Quantities

/// The five fields of a crontab line. A minute matches if all fields match. Of the two fields for days, one is enough
/// if neither begins with `*`, as in crontab(5): `0 0 13 * FRI` is every Friday and every 13th.
package struct Crontab: Sendable, Hashable {
    package let text: String

    private let minutes: CrontabField
    private let hours: CrontabField
    private let daysOfMonth: CrontabField
    private let months: CrontabField
    private let daysOfWeek: CrontabField

    package init?(_ text: String) {
        guard let crontab = try? Crontab(reading: text) else { return nil }
        self = crontab
    }

    func matches(day: CivilDate) -> Bool {
        guard months.contains(day.month) else { return false }
        let (isDay, isWeekday) = (daysOfMonth.contains(day.day), daysOfWeek.contains(day.weekday))
        return daysOfMonth.isRestricted && daysOfWeek.isRestricted ? isDay || isWeekday : isDay && isWeekday
    }

    func matches(hour: Int, minute: Int) -> Bool { hours.contains(hour) && minutes.contains(minute) }

    init(reading text: String) throws(CrontabError) {
        let fields = text.split { $0 == " " || $0 == "\t" }
        guard fields.count == 5 else { throw CrontabError(text: Self.wrongCount(fields.count)) }
        self.text = text
        minutes = try CrontabField(fields[0], of: .minutes)
        hours = try CrontabField(fields[1], of: .hours)
        daysOfMonth = try CrontabField(fields[2], of: .daysOfMonth)
        months = try CrontabField(fields[3], of: .months)
        daysOfWeek = try CrontabField(fields[4], of: .daysOfWeek)
    }

    private static func wrongCount(_ count: Int) -> String {
        let names = CrontabField.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        let fields = count == 1 ? "1 field" : "\(count) fields"
        return "\(fields) where five belong: \(names). Write `*` for each that does not matter."
    }
}

extension Crontab: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do {
            try self.init(reading: text)
        } catch {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.text)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
