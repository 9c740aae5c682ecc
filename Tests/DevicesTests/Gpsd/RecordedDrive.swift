import Foundation
import Quantities

/// The fixes of a recorded log, from its RMC sentences.
struct RecordedDrive {
    struct Epoch {
        let time: Timestamp
        let coordinate: Coordinate
        let speed: MetresPerSecond
    }

    let epochs: [Epoch]

    init(_ log: URL) throws {
        let lines = try String(contentsOf: log, encoding: .ascii).split(whereSeparator: \.isNewline)
        epochs = lines.compactMap(Epoch.init)
    }

    subscript(time: Timestamp) -> Epoch? { epochs.first { $0.time == time } }
}

extension RecordedDrive.Epoch {
    /// Reads `$GPRMC,193326.00,A,4139.67900,N,09132.07260,W,20.896,,210519,,,A*58`.
    fileprivate init?(_ line: Substring) {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false)
        guard fields.count > 9, fields[0] == "$GPRMC", fields[2] == "A" else { return nil }
        guard let clock = Double(fields[1]), let day = Int(fields[9]), let knots = Double(fields[7]),
            let latitude = degrees(fields[3], fields[4], digits: 2),
            let longitude = degrees(fields[5], fields[6], digits: 3),
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        let seconds = Int(clock) / 10_000 * 3600 + Int(clock) / 100 % 100 * 60 + Int(clock) % 100
        time = Timestamp(year: 2000 + day % 100, month: day / 100 % 100, day: day / 10_000) + .seconds(seconds)
        self.coordinate = coordinate
        speed = MetresPerSecond(knots * 1852 / 3600)
    }
}

/// Converts degrees and minutes, written without a gap, to degrees.
private func degrees(_ number: Substring, _ side: Substring, digits: Int) -> Double? {
    guard let whole = Double(number.prefix(digits)), let minutes = Double(number.dropFirst(digits)) else { return nil }
    let degrees = whole + minutes / 60
    return side == "S" || side == "W" ? -degrees : degrees
}
