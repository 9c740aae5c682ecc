import Quantities

/// Durations as people write them.
package enum DurationText {
    private static let units: [(symbol: Character, seconds: Double)] = [
        ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400),
    ]

    /// Reads seconds, or a number with a unit; nil if the text is neither, or negative.
    package static func parse(_ text: String) -> Duration? {
        let unit = units.first { text.last == $0.symbol }
        let digits = unit == nil ? text : String(text.dropLast())
        guard let number = Double(digits), number >= 0, number < 1e9 else { return nil }
        return Duration(inSeconds: number * (unit?.seconds ?? 1))
    }

    /// Writes a duration in the largest unit that leaves no fraction.
    package static func write(_ span: Duration) -> String {
        let seconds = span.inSeconds
        let unit = units.last { seconds >= $0.seconds && (seconds / $0.seconds).rounded() == seconds / $0.seconds }
        guard let unit else { return "\(NumberText.write(seconds))s" }
        return "\(Int(seconds / unit.seconds))\(unit.symbol)"
    }
}
