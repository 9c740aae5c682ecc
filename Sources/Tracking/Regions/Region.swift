package import Quantities
package import TrackingOptions

/// A place whose entering and leaving is told.
package struct Region: Sendable, Hashable, Codable {
    /// What is wanted of it beyond enter and leave.
    package struct Options: Sendable, Hashable, Codable {
        /// After how long inside that is told, once a stay.
        package var dwell: Duration?
        /// The weakest signal of its beacon that counts, in dBm.
        package var rssiLimit: Int8?
        /// How long it must have been left before that is told.
        package var holdDown = Duration.zero
        /// The mode to switch to when it is entered.
        package var modeOnEnter: MonitoringMode?
        /// The mode to switch to when it is left.
        package var modeOnLeave: MonitoringMode?
        /// Whether its own place is wherever it was entered or left last.
        package var movesWithVehicle = false

        /// Wants nothing special.
        package init() {}
    }

    /// What it is known by.
    package let name: RegionName
    /// What it is called in messages; nothing when they keep that to themselves.
    package let text: String?
    /// When it was defined.
    package let defined: Timestamp
    /// What tells that the vehicle is in it.
    package let shape: RegionShape
    /// What is wanted of it beyond enter and leave.
    package let options: Options

    /// The key that does not change.
    package var id: String { name.id }

    /// Makes a region, or says what is wrong with it.
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

/// What tells that the vehicle is in a region.
package enum RegionShape: Sendable, Hashable, Codable {
    /// The border of an area.
    case area(RegionArea)
    /// The signal of a beacon.
    case beacon(BeaconIdentity)
    /// The border of an area; the beacon is known, but only the border is watched, as OwnTracks has it.
    case areaWithBeacon(RegionArea, BeaconIdentity)

    /// The area whose border is watched; nothing when a beacon tells.
    package var area: RegionArea? {
        switch self {
        case .area(let area), .areaWithBeacon(let area, _): area
        case .beacon: nil
        }
    }

    /// The beacon that belongs to it.
    package var beacon: BeaconIdentity? {
        switch self {
        case .beacon(let beacon), .areaWithBeacon(_, let beacon): beacon
        case .area: nil
        }
    }

    /// What its transitions are told by.
    package var trigger: Transition.Trigger { area == nil ? .beacon : .area }
}

/// A piece of the earth with a border.
package enum RegionArea: Sendable, Hashable, Codable {
    /// All places within a distance.
    case circle(centre: Coordinate, radius: Metres)
    /// All places between straight borders.
    case polygon(Polygon)

    /// How far a place lies outside the border; zero on it and negative inside.
    package func clearance(from place: Coordinate) -> Metres {
        switch self {
        case .circle(let centre, let radius): centre.distance(to: place) - radius
        case .polygon(let polygon): polygon.clearance(from: place)
        }
    }

    /// A box that it fits into.
    var box: BoundingBox {
        switch self {
        case .circle(let centre, let radius): BoundingBox(around: centre, radius: radius)
        case .polygon(let polygon): polygon.outer.box
        }
    }
}

/// An area with straight borders, and holes in it if need be.
package struct Polygon: Sendable, Hashable, Codable {
    /// The border.
    package let outer: Ring
    /// What lies inside the border and does not belong to the area.
    package let holes: [Ring]

    /// Makes an area.
    package init(outer: Ring, holes: [Ring] = []) {
        self.outer = outer
        self.holes = holes
    }

    /// Joins points to an area without holes.
    package init(_ points: [Coordinate]) throws(Ring.Problem) {
        self.init(outer: try Ring(points))
    }

    /// How far a place lies outside the border; negative inside.
    func clearance(from place: Coordinate) -> Metres {
        let rings = [outer] + holes
        let distance = rings.map { $0.nearestPoint(to: place).distance(to: place) }.min() ?? .zero
        let isInside = outer.isAround(place) && !holes.contains { $0.isAround(place) }
        return isInside ? .zero - distance : distance
    }
}

/// A region cannot be watched as it was given.
package struct RegionError: Error, Sendable, Hashable, CustomStringConvertible {
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
    ) throws(RegionError) -> Coordinate {
        if let place = Coordinate(latitude: latitude, longitude: longitude) { return place }
        throw RegionError(region: region, cause: .place(latitude: latitude, longitude: longitude))
    }

    /// Checks the points that somebody gave as the border of a region.
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
