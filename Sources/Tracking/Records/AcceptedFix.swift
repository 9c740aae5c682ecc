package import Quantities
import StopDetection

/// A report that has a time and a place: the only kind that rules and records see.
package struct AcceptedFix: Sendable, Hashable, Codable {
    /// UTC of the fix.
    package let time: Timestamp
    /// Where, and how well that is known.
    package let position: Position
    /// Error of the speed, 68 %.
    package let speedAccuracy: MetresPerSecond?
    /// Speed upwards.
    package let climb: MetresPerSecond?
    /// Horizontal dilution of precision.
    package let hdop: Double?
    /// Vertical dilution of precision.
    package let vdop: Double?
    /// Dilution of precision of the position, horizontal and vertical.
    package let pdop: Double?
    /// How much the receiver is jammed: from 0, not at all, to 255.
    package let jamming: Int?

    /// Takes time and place out of a report; nothing when one is missing.
    package init?(_ fix: Fix) {
        guard let time = fix.time, let position = Position(fix) else { return nil }
        self.time = time
        self.position = position
        speedAccuracy = fix.speedAccuracy
        climb = fix.climb
        (hdop, vdop, pdop) = (fix.hdop, fix.vdop, fix.pdop)
        jamming = fix.jamming
    }

    /// Where.
    package var coordinate: Coordinate { position.coordinate }

    /// Whether the speed alone proves that the vehicle moves: above 2 m/s, and by more than twice its error, the 95 % bound.
    package var provesMovement: Bool {
        guard let speed = position.speed else { return false }
        let error = speedAccuracy ?? Self.usualSpeedError
        return speed - error * 2 > Self.provingSpeed
    }

    private static let provingSpeed = MetresPerSecond(2)
    /// What receivers state for Doppler speed in the open is 0.1 to 0.5 m/s.
    private static let usualSpeedError = MetresPerSecond(0.5)
}

extension Location {
    /// Takes time and place out of a fix.
    init(_ fix: AcceptedFix) {
        self.init(time: fix.time, coordinate: fix.coordinate, accuracy: fix.position.accuracy)
    }
}
