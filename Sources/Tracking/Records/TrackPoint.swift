package import Quantities

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
