import Quantities
import Testing

@testable import Tracking

/// The position of the test drives, and the moment of their start.
enum Samples {
    static let start = Timestamp(year: 2026, month: 5, day: 4)
    static let home = Coordinate(latitude: 52.374031, longitude: 4.889692)

    /// Returns a good fix, at this number of seconds after the start and at this distance from home.
    static func fix(
        _ seconds: Double, east: Double = 0, north: Double = 0, speed: Double? = 0, accuracy: Double? = 4
    ) -> Fix {
        Fix(
            mode: .threeDimensional, time: start + Duration(inSeconds: seconds),
            coordinate: home?.moved(east: Metres(east), north: Metres(north)), accuracy: accuracy.map(Metres.init),
            altitude: Metres(3), speed: speed.map(MetresPerSecond.init), course: Degrees(90), satellites: 9)
    }

    static func accepted(
        _ seconds: Double, east: Double = 0, north: Double = 0, speed: Double? = 0, accuracy: Double? = 4
    ) throws -> AcceptedFix {
        try #require(AcceptedFix(fix(seconds, east: east, north: north, speed: speed, accuracy: accuracy)))
    }
}

extension Instant {
    static func at(_ seconds: Double) -> Instant { Instant(seconds: seconds) }
}
