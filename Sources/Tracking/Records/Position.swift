package import Quantities

/// The fields are as in `Fix`.
package struct Position: Sendable, Hashable, Codable {
    package var coordinate: Coordinate
    package var accuracy: Metres?
    package var altitude: Metres?
    package var ellipsoidAltitude: Metres?
    package var verticalAccuracy: Metres?
    package var speed: MetresPerSecond?
    package var course: Degrees?
    package var satellites: Int?
    package var solution: Fix.Solution?

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

    func blurred(by distance: Metres) -> Position {
        var blurred = self
        blurred.accuracy = error + distance
        return blurred
    }

    /// Whether the error is larger than the default `accuracyLimit`.
    var isVague: Bool { error > Metres(200) }

    /// Returns whether the positions are farther apart than `distance` plus both errors; a missing error counts as 0.
    package func isProvablyAway(from other: Position, by distance: Metres) -> Bool {
        let errors = (accuracy ?? .zero) + (other.accuracy ?? .zero)
        return other.coordinate.distance(to: coordinate) > distance + errors
    }

    /// Assumed if the receiver states no horizontal error; in the open, receivers state at most this value.
    static let usualError = Metres(10)
}

/// The last recorded point of the track, with the fields that the sampling rules compare.
package struct TrackPoint: Sendable, Hashable, Codable {
    package var coordinate: Coordinate
    package var time: Timestamp
    package var course: Degrees?
}

/// A circle in which the tracker records no position.
package struct PrivatePlace: Sendable, Hashable {
    package let centre: Coordinate
    package let radius: Metres

    /// A vehicle that was inside counts as outside only if the circle of its position's error is farther than this from
    /// the private place. Without the margin, noise at the border would begin and end a private period again and again.
    private static let margin = Metres(25)

    package init(centre: Coordinate, radius: Metres) {
        self.centre = centre
        self.radius = radius
    }

    /// Whether the circle of the position's error touches this circle, or comes within `margin` of it if `wasInside`.
    func mayContain(_ position: Position, wasInside: Bool = false) -> Bool {
        let slack = position.error + (wasInside ? Self.margin : .zero)
        return centre.distance(to: position.coordinate) <= radius + slack
    }

    func contains(_ place: Coordinate) -> Bool { centre.distance(to: place) <= radius }
}

struct TimedPosition: Sendable, Hashable {
    var time: Timestamp
    var position: Position?
}
