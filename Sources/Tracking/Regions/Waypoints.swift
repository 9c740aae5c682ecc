package import Quantities
import TrackingOptions

/// A place that was marked by hand, as OwnTracks has it.
package struct Waypoint: Sendable, Hashable, Codable {
    /// What it is called; empty when it has no description.
    package var text: String
    /// Where; nothing when only a beacon tells.
    package var coordinate: Coordinate?
    /// Radius of the circle that is watched; zero or nothing: no circle; negative: the place follows the beacon.
    package var radius: Metres?
    /// The beacon that is watched.
    package var beacon: BeaconIdentity?
    /// When it was made: its key.
    package var defined: Timestamp
    /// The key of the region, when the server gave one.
    package var id: String?
    /// Whether the tracker marked it unasked: such a one is neither told nor watched.
    package var isAutomatic: Bool
    /// Whether messages tell of it and name it; its transitions are told in any case.
    package var isShared: Bool

    /// Makes a waypoint.
    package init(
        text: String, coordinate: Coordinate? = nil, radius: Metres? = nil, beacon: BeaconIdentity? = nil,
        defined: Timestamp, id: String? = nil, isAutomatic: Bool = false, isShared: Bool = true
    ) {
        self.text = text
        self.coordinate = coordinate
        self.radius = radius
        self.beacon = beacon
        self.defined = defined
        self.id = id
        self.isAutomatic = isAutomatic
        self.isShared = isShared
    }
}

/// Which iBeacons are meant.
package struct BeaconIdentity: Sendable, Hashable, Codable {
    /// Proximity UUID in lower case, with hyphens.
    package var uuid: String
    /// Major number; nothing: any.
    package var major: UInt16?
    /// Minor number; nothing: any.
    package var minor: UInt16?

    /// Makes an identity.
    package init(uuid: String, major: UInt16? = nil, minor: UInt16? = nil) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
    }

    /// Whether a sighting is of such a beacon.
    package func matches(_ sighting: BeaconSighting) -> Bool {
        uuid == sighting.uuid && (major ?? sighting.major) == sighting.major
            && (minor ?? sighting.minor) == sighting.minor
    }
}

extension Waypoint {
    /// What is watched because of a waypoint.
    package enum Watching: Sendable, Hashable {
        /// Nothing: it marks a place, or monitoring is switched off by a radius of 0.
        case nothing
        /// A region, whose transitions are told.
        case region(Region)
        /// A circle that moves along.
        case follow(FollowRegion)
    }

    /// The key that does not change: the server's, or else when it was made, which is OwnTracks' key.
    package var key: String { id ?? String(defined.seconds) }

    /// Whether a message tells that it was set or changed.
    package var isTold: Bool { isMarked && isShared }

    /// What is to be watched, or what is wrong with it.
    ///
    /// A radius above 0 watches the circle, even when there is a beacon too; else the beacon is watched, given by itself
    /// or in the description. A beacon's waypoint with a negative radius is moved to where it is entered and left.
    package func watching() throws(RegionError) -> Watching {
        guard isMarked else { return .nothing }
        let label = WaypointLabel(text)
        let name = RegionName(id: key, name: label.name)
        if let lead = label.lead { return .follow(FollowRegion(name, lead: lead)) }
        guard let shape = shape(beacon: beacon ?? label.beacon) else { return .nothing }
        var options = Region.Options()
        options.holdDown = label.holdsDown ? Self.holdDown : .zero
        options.modeOnEnter = label.modeOnEnter
        options.modeOnLeave = label.modeOnLeave
        options.movesWithVehicle = (radius ?? .zero) < .zero
        let text = isShared ? label.name : nil
        return .region(try Region(name, text: text, defined: defined, shape: shape, options: options))
    }

    /// The same waypoint at another place.
    package func moved(to place: Coordinate) -> Waypoint {
        var moved = self
        moved.coordinate = place
        return moved
    }

    /// Whether somebody made it: neither an automatic location nor one without a description is a waypoint.
    private var isMarked: Bool { !isAutomatic && !text.isEmpty }

    private func shape(beacon: BeaconIdentity?) -> RegionShape? {
        guard let coordinate, let radius, radius > .zero else { return beacon.map(RegionShape.beacon) }
        let circle = RegionArea.circle(centre: coordinate, radius: radius)
        return beacon.map { .areaWithBeacon(circle, $0) } ?? .area(circle)
    }

    /// As long as in OwnTracks.
    private static let holdDown = Duration.seconds(3)
}

/// What OwnTracks writes into the description of a waypoint beside its name.
struct WaypointLabel: Sendable, Hashable {
    /// What people call it.
    private(set) var name: String
    /// From `name:UUID:major:minor`, where the numbers may be left out and 0 means any.
    private(set) var beacon: BeaconIdentity?
    /// From `-name`: short losses do not count.
    private(set) var holdsDown = false
    /// From `name|1|2`: the mode to switch to on entering.
    private(set) var modeOnEnter: MonitoringMode?
    /// From `name|1|2`: the mode to switch to on leaving.
    private(set) var modeOnLeave: MonitoringMode?
    /// From `+60follow`: the time to which the size of a circle that moves along corresponds.
    private(set) var lead: Duration?

    /// Reads a description; what has none of these forms is a name.
    init(_ text: String) {
        name = text
        takeModes()
        takeBeacon()
        if modeOnEnter == nil { takeModes() }
        takePrefix()
        if name.isEmpty { name = text }
    }

    private mutating func takeModes() {
        let parts = name.split(separator: "|", omittingEmptySubsequences: false)
        guard parts.count >= 3, let enter = Self.mode(parts[parts.count - 2]),
            let leave = Self.mode(parts[parts.count - 1])
        else { return }
        (modeOnEnter, modeOnLeave) = (enter, leave)
        name = parts.dropLast(2).joined(separator: "|")
    }

    private mutating func takeBeacon() {
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        guard let index = parts.lastIndex(where: { BeaconIdentity.isUUID($0.lowercased()) }), index > 0 else { return }
        let numbers = parts[(index + 1)...].map { UInt16($0) }
        guard numbers.count <= 2, !numbers.contains(nil) else { return }
        let padded = numbers.compactMap { $0 } + [0, 0]
        beacon = BeaconIdentity(ownTracksUUID: String(parts[index]), major: padded[0], minor: padded[1])
        name = parts[..<index].joined(separator: ":")
    }

    private mutating func takePrefix() {
        if name.hasPrefix("-") {
            holdsDown = true
            name.removeFirst()
        } else if name.hasPrefix("+") {
            let seconds = Int(name.dropFirst().prefix { $0.isASCII && $0.isNumber }) ?? 0
            lead = seconds > 0 ? .seconds(seconds) : FollowRegion.usualLead
        }
    }

    private static func mode(_ text: Substring) -> MonitoringMode? { Int(text).flatMap(MonitoringMode.init) }
}
