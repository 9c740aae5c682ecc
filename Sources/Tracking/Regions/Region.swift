package import Quantities
package import TrackingOptions

/// A place, or a beacon, for which the tracker records when the vehicle enters and leaves.
package struct Region: Sendable, Hashable, Codable {
    /// Further settings of a region, such as its dwell time.
    package struct Options: Sendable, Hashable, Codable {
        /// The time inside after which the tracker records a dwell, once per occupancy; nil if the tracker records no dwell.
        package var dwell: Duration?
        /// The weakest beacon signal that counts, in dBm; nil to count all.
        package var rssiLimit: Int8?
        /// How long the vehicle must be outside before the tracker records the exit.
        package var holdDown = Duration.zero
        /// The mode to switch to on entry.
        package var modeOnEnter: MonitoringMode?
        /// The mode to switch to on exit.
        package var modeOnLeave: MonitoringMode?
        /// Whether each entry or exit moves the region's place to the vehicle.
        package var movesWithVehicle = false

        package init() {}
    }

    package let name: RegionName
    /// The description in messages; nil if messages leave it out.
    package let text: String?
    /// When the region was defined.
    package let defined: Timestamp
    /// What detects that the vehicle is inside.
    package let shape: RegionShape
    /// Further settings of a region, such as its dwell time.
    package let options: Options

    /// The key, which does not change.
    package var id: String { name.id }

    /// Makes a region; throws an error that describes the mistake if the region is not valid.
    package init(
        _ name: RegionName, text: String?, defined: Timestamp, shape: RegionShape, options: Options = Options()
    ) throws(RegionError) {
        self.name = name
        self.text = text
        self.defined = defined
        self.shape = shape
        self.options = options
        if let cause = cause { throw RegionError(region: name.name, cause: cause) }
    }

    private var cause: RegionError.Cause? {
        if name.id.isEmpty { return .noKey }
        if case .circle(_, let radius) = shape.area, !(radius > .zero && radius <= RegionError.largestRadius) {
            return .radius(radius)
        }
        if let beacon = shape.beacon, !BeaconIdentity.isUUID(beacon.uuid) { return .uuid(beacon.uuid) }
        if let dwell = options.dwell, dwell <= .zero { return .dwell(dwell) }
        if let limit = options.rssiLimit, limit > 20 || limit < -127 { return .rssi(limit) }
        return nil
    }
}

/// What detects that the vehicle is inside a region.
package enum RegionShape: Sendable, Hashable, Codable {
    case area(RegionArea)
    case beacon(BeaconIdentity)
    /// The border of an area with a beacon; the tracker watches only the border and stores the beacon, as in OwnTracks.
    case areaWithBeacon(RegionArea, BeaconIdentity)

    /// The area whose border the tracker watches; nil if the tracker watches a beacon.
    package var area: RegionArea? {
        switch self {
        case .area(let area), .areaWithBeacon(let area, _): area
        case .beacon: nil
        }
    }

    /// The beacon that belongs to the region; nil if there is none.
    package var beacon: BeaconIdentity? {
        switch self {
        case .beacon(let beacon), .areaWithBeacon(_, let beacon): beacon
        case .area: nil
        }
    }

    /// What detects the transitions.
    package var trigger: Transition.Trigger { area == nil ? .beacon : .area }
}

/// An area on the earth with a border.
package enum RegionArea: Sendable, Hashable, Codable {
    /// All places within a distance of the centre.
    case circle(centre: Coordinate, radius: Metres)
    /// All places within straight borders.
    case polygon(Polygon)

    /// Returns the distance of a place from the border; negative inside.
    package func clearance(from place: Coordinate) -> Metres {
        switch self {
        case .circle(let centre, let radius): centre.distance(to: place) - radius
        case .polygon(let polygon): polygon.clearance(from: place)
        }
    }

    var box: BoundingBox {
        switch self {
        case .circle(let centre, let radius): BoundingBox(around: centre, radius: radius)
        case .polygon(let polygon): polygon.outer.box
        }
    }
}

/// An area with straight borders, which may have holes.
package struct Polygon: Sendable, Hashable, Codable {
    package let outer: Ring
    /// Areas inside the border that do not belong to the polygon.
    package let holes: [Ring]

    package init(outer: Ring, holes: [Ring] = []) {
        self.outer = outer
        self.holes = holes
    }

    package init(_ points: [Coordinate]) throws(Ring.Problem) {
        self.init(outer: try Ring(points))
    }

    /// Returns the distance of a place from the border; negative inside.
    func clearance(from place: Coordinate) -> Metres {
        let rings = [outer] + holes
        let distance = rings.map { $0.nearestPoint(to: place).distance(to: place) }.min() ?? .zero
        let isInside = outer.isAround(place) && !holes.contains { $0.isAround(place) }
        return isInside ? .zero - distance : distance
    }
}

/// A region is not valid and cannot be watched.
package struct RegionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of mistake.
    package enum Cause: Sendable, Hashable {
        case noKey
        /// The radius is not positive, or exceeds `largestRadius`.
        case radius(Metres)
        /// A point is not on the earth.
        case place(latitude: Double, longitude: Double)
        /// The points do not form a border.
        case border(Ring.Problem)
        /// The UUID of the beacon is malformed.
        case uuid(String)
        /// The dwell time is not positive.
        case dwell(Duration)
        /// The signal limit is outside the range of Bluetooth.
        case rssi(Int8)
    }

    package let region: String
    /// The kind of mistake.
    package let cause: Cause

    package init(region: String, cause: Cause) {
        self.region = region
        self.cause = cause
    }

    /// One sentence with the mistake, and one sentence with the remedy.
    package var description: String { "region `\(region.printable())`: \(reason)" }

    private var reason: String {
        switch cause {
        case .noKey: "it has no `id`. Add one."
        case .radius(.zero): "its radius is 0 m, which switches it off. Give a radius above 0 m."
        case .radius(let radius):
            "its radius is \(radius). Give one above 0 m and up to \(Int(Self.largestRadius.value / 1000)) km."
        case .place(let latitude, let longitude):
            "\(latitude), \(longitude) is not on the earth. Latitude goes from -90 to 90, longitude from -180 to 180."
        case .border(.tooFewPoints(let count)):
            "its border has \(count) different \(count == 1 ? "point" : "points"). Give at least 3."
        case .border(.aroundPole): "its border encloses a pole. Use a circle there."
        case .uuid(let uuid): "`\(uuid)` is not the UUID of a beacon. Give 32 hexadecimal digits, as 8-4-4-4-12."
        case .dwell: "the dwell time is not above 0 s. Give a longer one, or leave it out."
        case .rssi(let limit): "\(limit) dBm is not a valid signal limit. Give one from -127 to 20."
        }
    }

    /// A quarter of the distance from pole to pole; up to this radius, distances on the ellipsoid are accurate to 0.01 %.
    static let largestRadius = Metres(5_000_000)
}

extension Region {
    /// Returns the coordinate of a region; throws if it is not on the earth.
    package static func place(
        latitude: Double, longitude: Double, of region: String
    ) throws(RegionError) -> Coordinate {
        if let place = Coordinate(latitude: latitude, longitude: longitude) { return place }
        throw RegionError(region: region, cause: .place(latitude: latitude, longitude: longitude))
    }

    /// Returns the area within a border; throws if the points of the border or of a hole do not form one.
    package static func polygon(
        _ points: [Coordinate], holes: [[Coordinate]] = [], of region: String
    ) throws(RegionError) -> RegionArea {
        do {
            var rings: [Ring] = []
            for hole in holes { rings.append(try Ring(hole)) }
            return .polygon(Polygon(outer: try Ring(points), holes: rings))
        } catch {
            throw RegionError(region: region, cause: .border(error))
        }
    }
}
