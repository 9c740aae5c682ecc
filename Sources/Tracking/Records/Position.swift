package import Quantities

/// A position with the data that the receiver reported at this position.
package struct Position: Sendable, Hashable, Codable {
    /// Latitude and longitude.
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
    /// The origin of the position; nil if the receiver measured the position with satellites only.
    package var solution: Fix.Solution?

    /// Makes a position; nil stands for an unknown value.
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

    /// Copies the position of a fix; nil if the fix has none.
    package init?(_ fix: Fix) {
        guard let coordinate = fix.coordinate else { return nil }
        self.init(
            coordinate: coordinate, accuracy: fix.accuracy, altitude: fix.altitude,
            ellipsoidAltitude: fix.ellipsoidAltitude, verticalAccuracy: fix.verticalAccuracy, speed: fix.speed,
            course: fix.course, satellites: fix.satellites)
        solution = fix.solution
    }

    /// The horizontal error, or `usualError` if the receiver stated none.
    var error: Metres { accuracy ?? Self.usualError }

    /// Returns the same position with its error increased by `distance`.
    func blurred(by distance: Metres) -> Position {
        var blurred = self
        blurred.accuracy = error + distance
        return blurred
    }

    /// Whether the error is larger than the default `accuracyLimit`.
    var isVague: Bool { error > Metres(200) }

    /// Whether the distance to `other` exceeds `distance` by more than the sum of both errors; a missing error counts
    /// as 0.
    package func isProvablyAway(from other: Position, by distance: Metres) -> Bool {
        let errors = (accuracy ?? .zero) + (other.accuracy ?? .zero)
        return other.coordinate.distance(to: coordinate) > distance + errors
    }

    /// The assumed error of a position without a stated error.
    ///
    /// Receivers in the open report an error of at most this value.
    static let usualError = Metres(10)
}

/// The last recorded point of the track, with the fields that the sampling rules compare.
package struct TrackPoint: Sendable, Hashable, Codable {
    /// Latitude and longitude.
    package var coordinate: Coordinate
    /// UTC of the point.
    package var time: Timestamp
    package var course: Degrees?
}
