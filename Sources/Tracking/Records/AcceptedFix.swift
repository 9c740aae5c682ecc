package import Quantities
import StopDetection

/// A fix that has a time and a position; rules and records use no others. The fields are as in `Fix`.
package struct AcceptedFix: Sendable, Hashable, Codable {
    package let time: Timestamp
    package private(set) var position: Position
    package let speedAccuracy: MetresPerSecond?
    package let climb: MetresPerSecond?
    package let hdop: Double?
    package let vdop: Double?
    package let pdop: Double?
    package let jamming: Int?

    package init?(_ fix: Fix) {
        guard let time = fix.time, let position = Position(fix) else { return nil }
        self.time = time
        self.position = position
        speedAccuracy = fix.speedAccuracy
        climb = fix.climb
        (hdop, vdop, pdop) = (fix.hdop, fix.vdop, fix.pdop)
        jamming = fix.jamming
    }

    var withoutSpeed: AcceptedFix {
        var fix = self
        fix.position.speed = nil
        return fix
    }

    package var coordinate: Coordinate { position.coordinate }

    func moved(to place: Position) -> AcceptedFix {
        var fix = self
        fix.position = place
        return fix
    }

    /// Whether the speed exceeds 2 m/s by more than twice its error (the 95 % bound).
    package var provesMovement: Bool {
        guard let speed = position.speed else { return false }
        let error = speedAccuracy ?? Self.usualSpeedError
        return speed - error * 2 > Self.provingSpeed
    }

    /// Whether the speed is above 1.5 m/s, with errors of speed and position that are small enough to make it
    /// credible. In a parked vehicle, a receiver with a broken antenna reports such speeds too, but with large errors.
    package var showsCreeping: Bool {
        guard let speed = position.speed, speed > Self.creepingSpeed, position.error <= Self.largestCreepingError else {
            return false
        }
        return speed - (speedAccuracy ?? Self.usualSpeedError) * 2 >= Self.leastCreepingSpeed
    }

    private static let creepingSpeed = MetresPerSecond(1.5)
    /// The speed minus twice its error (the 95 % bound) must be at least this value.
    private static let leastCreepingSpeed = MetresPerSecond(0.5)
    private static let largestCreepingError = Metres(20)
    private static let provingSpeed = MetresPerSecond(2)
    /// Assumed if the receiver states no error of the speed; in the open, receivers state errors of 0.1 to 0.5 m/s.
    private static let usualSpeedError = MetresPerSecond(0.5)
}

extension Location {
    init(_ fix: AcceptedFix) {
        self.init(
            time: fix.time, coordinate: fix.coordinate, accuracy: fix.position.accuracy, speed: fix.position.speed)
    }
}

extension TrackPoint {
    init(_ fix: AcceptedFix) {
        self.init(coordinate: fix.coordinate, time: fix.time, course: fix.position.course)
    }
}
