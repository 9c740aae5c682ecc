package import Quantities
import TrackingOptions

extension Waypoint {
    package enum Watching: Sendable, Hashable {
        /// The waypoint is automatic, has no description, or has neither a radius above 0 nor a beacon.
        case nothing
        case region(Region)
        case follow(FollowRegion)
    }

    /// The key never changes. Without one from a server, it is `defined` in seconds, as in OwnTracks.
    package var key: String { id ?? String(defined.seconds) }

    /// True if a message is sent when the waypoint is set or changed.
    package var isTold: Bool { isMarked && isShared }

    /// Throws if the waypoint is not valid. A description such as `+60follow` selects a circle that moves with the
    /// vehicle. Otherwise a radius above 0 selects the circle of the waypoint, even if there is a beacon. Without either,
    /// the beacon in the field `beacon` or in the description is watched; with a negative radius, each entry and exit
    /// moves the waypoint to the vehicle.
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

    package func moved(to place: Coordinate) -> Waypoint {
        var moved = self
        moved.coordinate = place
        return moved
    }

    package var isMarked: Bool { !isAutomatic && !text.isEmpty }

    private func shape(beacon: BeaconIdentity?) -> RegionShape? {
        guard let coordinate, let radius, radius > .zero else { return beacon.map(RegionShape.beacon) }
        let circle = RegionArea.circle(centre: coordinate, radius: radius)
        return beacon.map { .areaWithBeacon(circle, $0) } ?? .area(circle)
    }

    /// As in OwnTracks.
    private static let holdDown = Duration.seconds(3)
}

/// What OwnTracks encodes in the description of a waypoint.
struct WaypointLabel: Sendable, Hashable {
    let name: String
    /// `name:UUID:major:minor`; the numbers are optional, and 0 means any.
    let beacon: BeaconIdentity?
    /// `-name`: a short time outside, or a short loss of the beacon, is no exit.
    let holdsDown: Bool
    /// `name|1|2`, with numbers of monitoring modes.
    let modeOnEnter: MonitoringMode?
    let modeOnLeave: MonitoringMode?
    /// `+60follow`: the travel time that sets the radius of a circle that moves with the vehicle.
    let lead: Duration?

    /// A text without such parts is only a name.
    init(_ text: String) {
        var name = text
        let modes = Self.takeModes(from: &name)
        beacon = Self.takeBeacon(from: &name)
        (modeOnEnter, modeOnLeave) = modes ?? Self.takeModes(from: &name) ?? (nil, nil)
        holdsDown = name.hasPrefix("-")
        lead = Self.lead(of: name)
        if holdsDown { name.removeFirst() }
        self.name = name.isEmpty ? text : name
    }

    private static func takeModes(from name: inout String) -> (enter: MonitoringMode?, leave: MonitoringMode?)? {
        let parts = name.split(separator: "|", omittingEmptySubsequences: false)
        guard parts.count >= 3, let enter = mode(parts[parts.count - 2]), let leave = mode(parts[parts.count - 1])
        else { return nil }
        name = parts.dropLast(2).joined(separator: "|")
        return (enter, leave)
    }

    private static func takeBeacon(from name: inout String) -> BeaconIdentity? {
        let parts = name.split(separator: ":", omittingEmptySubsequences: false)
        guard let index = parts.lastIndex(where: { BeaconIdentity.isUUID($0.lowercased()) }), index > 0 else {
            return nil
        }
        let numbers = parts[(index + 1)...].map { UInt16($0) }
        guard numbers.count <= 2, !numbers.contains(nil) else { return nil }
        let padded = numbers.compactMap { $0 } + [0, 0]
        name = parts[..<index].joined(separator: ":")
        return BeaconIdentity(ownTracksUUID: String(parts[index]), major: padded[0], minor: padded[1])
    }

    private static func lead(of name: String) -> Duration? {
        guard name.hasPrefix("+") else { return nil }
        let seconds = Int(name.dropFirst().prefix { $0.isASCII && $0.isNumber }) ?? 0
        return seconds > 0 ? .seconds(seconds) : FollowRegion.usualLead
    }

    private static func mode(_ text: Substring) -> MonitoringMode? { Int(text).flatMap(MonitoringMode.init) }
}
