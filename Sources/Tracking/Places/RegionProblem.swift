package import Quantities

/// A region cannot be watched as it was given.
package struct RegionProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong with it.
    package enum Cause: Sendable, Hashable {
        /// It has no key.
        case noKey
        /// The radius is none, or larger than makes sense.
        case radius(Metres)
        /// A point is not on the earth.
        case place(latitude: Double, longitude: Double)
        /// The points of a border make none.
        case border(Ring.Problem)
        /// The beacon has no proper UUID.
        case uuid(String)
        /// The time to dwell is none.
        case dwell(Duration)
        /// The limit of the signal is outside the range of Bluetooth.
        case rssi(Int8)
    }

    /// What the region is called.
    package let region: String
    /// What is wrong with it.
    package let cause: Cause

    /// Tells what is wrong with a region.
    package init(region: String, cause: Cause) {
        self.region = region
        self.cause = cause
    }

    /// One sentence on what is wrong, and one on what to do.
    package var description: String { "region `\(region.printable())`: \(reason)" }

    private var reason: String {
        switch cause {
        case .noKey: "it has no key. Give it an id."
        case .radius(.zero): "the radius is 0 m, so that it is not watched. Give a radius above 0 m."
        case .radius(let radius):
            "the radius is \(radius). Give one above 0 m and up to \(Int(Self.largestRadius.value / 1000)) km."
        case .place(let latitude, let longitude):
            "\(latitude), \(longitude) is not on the earth. Latitude goes from -90 to 90, longitude from -180 to 180."
        case .border(.tooFewPoints(let count)):
            "its border has \(count) different \(count == 1 ? "point" : "points"). Give at least 3."
        case .border(.aroundPole): "its border goes round a pole. Use a circle there."
        case .uuid(let uuid): "`\(uuid)` is not the UUID of a beacon. Give 32 hexadecimal digits, as 8-4-4-4-12."
        case .dwell: "the time to dwell is not above 0 s. Give a longer one, or leave it out."
        case .rssi(let limit): "\(limit) dBm is no limit for a signal. Give one from -127 to 20."
        }
    }

    /// A quarter of the way from pole to pole; distances on the ellipsoid are good to 0.01 % up to there.
    static let largestRadius = Metres(5_000_000)
}

extension Region {
    /// Checks the numbers of a place that somebody gave for a region.
    package static func place(
        latitude: Double, longitude: Double, of region: String
    ) throws(RegionProblem) -> Coordinate {
        if let place = Coordinate(latitude: latitude, longitude: longitude) { return place }
        throw RegionProblem(region: region, cause: .place(latitude: latitude, longitude: longitude))
    }

    /// Checks the points that somebody gave as the border of a region.
    package static func polygon(
        _ points: [Coordinate], holes: [[Coordinate]] = [], of region: String
    ) throws(RegionProblem) -> RegionArea {
        do {
            var rings: [Ring] = []
            for hole in holes { rings.append(try Ring(hole)) }
            return .polygon(Polygon(outer: try Ring(points), holes: rings))
        } catch {
            throw RegionProblem(region: region, cause: .border(error))
        }
    }
}
