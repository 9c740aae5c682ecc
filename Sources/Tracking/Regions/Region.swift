package import Quantities
package import TrackingOptions

package struct Region: Sendable, Hashable, Codable {
    package struct Options: Sendable, Hashable, Codable {
        /// A dwell is recorded once per occupancy after this time; nil records none.
        package var dwell: Duration?
        /// In dBm; weaker signals do not count. Nil counts all.
        package var rssiLimit: Int8?
        /// The time outside after which an exit is recorded.
        package var holdDown = Duration.zero
        package var modeOnEnter: MonitoringMode?
        package var modeOnLeave: MonitoringMode?
        package var movesWithVehicle = false

        package init() {}
    }

    package let name: RegionName
    /// The description in messages; nil if messages leave it out.
    package let text: String?
    package let defined: Timestamp
    package let shape: RegionShape
    package let options: Options

    /// The key never changes.
    package var id: String { name.id }

    package init(
        _ name: RegionName, text: String?, defined: Timestamp, shape: RegionShape, options: Options = Options()
    ) throws(RegionError) {
        self.name = name
        self.text = text
        self.defined = defined
        self.shape = shape
        self.options = options
        if let cause { throw RegionError(region: name.name, cause: cause) }
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

package enum RegionShape: Sendable, Hashable, Codable {
    case area(RegionArea)
    case beacon(BeaconIdentity)
    /// As in OwnTracks, only the border is watched; the beacon is stored.
    case areaWithBeacon(RegionArea, BeaconIdentity)

    /// Nil for a beacon.
    package var area: RegionArea? {
        switch self {
        case .area(let area), .areaWithBeacon(let area, _): area
        case .beacon: nil
        }
    }

    package var beacon: BeaconIdentity? {
        switch self {
        case .beacon(let beacon), .areaWithBeacon(_, let beacon): beacon
        case .area: nil
        }
    }

    package var trigger: Transition.Trigger { area == nil ? .beacon : .area }
}

package enum RegionArea: Sendable, Hashable, Codable {
    case circle(centre: Coordinate, radius: Metres)
    case polygon(Polygon)

    /// The distance from the border; negative inside.
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

package struct Polygon: Sendable, Hashable, Codable {
    package let outer: Ring
    package let holes: [Ring]

    func clearance(from place: Coordinate) -> Metres {
        let rings = [outer] + holes
        let distance = rings.map { $0.nearestPoint(to: place).distance(to: place) }.min() ?? .zero
        let isInside = outer.isAround(place) && !holes.contains { $0.isAround(place) }
        return isInside ? .zero - distance : distance
    }
}

package struct RegionError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Cause: Sendable, Hashable {
        case noKey
        /// The radius is not positive, or above `largestRadius`.
        case radius(Metres)
        case border(Ring.Problem)
        case uuid(String)
        case dwell(Duration)
        case rssi(Int8)
    }

    package let region: String
    package let cause: Cause

    package var description: String { "region `\(region.printable())`: \(reason)" }

    private var reason: String {
        switch cause {
        case .noKey: "it has no `id`. Add one."
        case .radius(.zero): "its radius is 0 m, which switches it off. Give a radius above 0 m."
        case .radius(let radius):
            "its radius is \(radius). Give one above 0 m and up to \(Int(Self.largestRadius.value / 1000)) km."
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

    /// The same `id` always results in the same date, before 2000 (FNV-1a, 32 bits). OwnTracks identifies a region by
    /// the second of its definition (`tst`), but a configuration file need not contain it.
    package static func standInDate(of id: String) -> Timestamp {
        let hash = id.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
        return Timestamp(milliseconds: Int64(hash) % secondsBefore2000 * 1000)
    }

    private static let secondsBefore2000: Int64 = 946_684_800
}
