import FoundationEssentials
import Quantities

/// ISO 8601 dates as they stand in recordings.
enum ISODate {
    /// Reads a date in UTC, with or without a fraction of a second; nothing when it is none.
    static func parse(_ text: String) -> Timestamp? {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
        guard let date = try? style.parse(text) else { return nil }
        return Int64(exactly: (date.timeIntervalSince1970 * 1000).rounded()).map(Timestamp.init(milliseconds:))
    }
}
