package import Quantities

/// A place with what a receiver knew about it.
package struct Position: Sendable, Hashable, Codable {
    /// Where.
    package var coordinate: Coordinate
    /// Horizontal error, 68 %.
    package var accuracy: Metres?
    /// Height above mean sea level.
    package var altitude: Metres?
    /// Height above the WGS84 ellipsoid.
    package var ellipsoidAltitude: Metres?
    /// Vertical error, 68 %.
    package var verticalAccuracy: Metres?
    /// Speed over ground.
    package var speed: MetresPerSecond?
    /// Course over ground from true north.
    package var course: Degrees?
    /// Satellites used in the solution.
    package var satellites: Int?

    /// Makes a place; what is left out is unknown.
    package init(
        coordinate: Coordinate, accuracy: Metres? = nil, altitude: Metres? = nil, ellipsoidAltitude: Metres? = nil,
        verticalAccuracy: Metres? = nil, speed: MetresPerSecond? = nil, course: Degrees? = nil, satellites: Int? = nil
    ) {
        self.coordinate = coordinate
        self.accuracy = accuracy
        self.altitude = altitude
        self.ellipsoidAltitude = ellipsoidAltitude
        self.verticalAccuracy = verticalAccuracy
        self.speed = speed
        self.course = course
        self.satellites = satellites
    }

    /// Takes the place out of a report; nothing when the report has none.
    package init?(_ fix: Fix) {
        guard let coordinate = fix.coordinate else { return nil }
        self.init(
            coordinate: coordinate, accuracy: fix.accuracy, altitude: fix.altitude,
            ellipsoidAltitude: fix.ellipsoidAltitude, verticalAccuracy: fix.verticalAccuracy, speed: fix.speed,
            course: fix.course, satellites: fix.satellites)
    }

    /// The horizontal error, or what it usually is.
    var error: Metres { accuracy ?? Self.usualError }

    /// The same place, less well known by `distance`.
    func blurred(by distance: Metres) -> Position {
        var blurred = self
        blurred.accuracy = error + distance
        return blurred
    }

    /// Whether it is less well known than any fix that is used by default (`accuracyLimit`).
    var isVague: Bool { error > Metres(200) }

    /// Whether this place is farther than `distance` from the other one even if both errors lie the wrong way.
    func isProvablyAway(from other: Position, by distance: Metres) -> Bool {
        let errors = (accuracy ?? .zero) + (other.accuracy ?? .zero)
        return other.coordinate.distance(to: coordinate) > distance + errors
    }

    /// Taken for the error of a place that does not state it: what receivers in the open state, or better.
    static let usualError = Metres(10)
}

/// The last point of the track that was recorded, with what the sampling rules compare.
package struct TrackPoint: Sendable, Hashable, Codable {
    /// Where.
    package var coordinate: Coordinate
    /// When.
    package var time: Timestamp
    /// The course there.
    package var course: Degrees?

    /// Makes a point of a place.
    init(coordinate: Coordinate, time: Timestamp, course: Degrees? = nil) {
        self.coordinate = coordinate
        self.time = time
        self.course = course
    }

    /// Makes a point of a fix.
    init(_ fix: AcceptedFix) {
        self.init(coordinate: fix.coordinate, time: fix.time, course: fix.position.course)
    }
}
