package import Quantities

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
    package func watching() throws(RegionProblem) -> Watching {
        guard isMarked else { return .nothing }
        let label = WaypointLabel(text)
        let name = RegionName(id: key, name: label.name)
        if let lead = label.lead { return .follow(FollowRegion(name, lead: lead)) }
        guard let shape = shape(beacon: beacon ?? label.beacon) else { return .nothing }
        var wishes = Region.Wishes()
        wishes.holdDown = label.holdsDown ? Self.holdDown : .zero
        wishes.modeOnEnter = label.modeOnEnter
        wishes.modeOnLeave = label.modeOnLeave
        wishes.movesWithVehicle = (radius ?? .zero) < .zero
        let text = isShared ? label.name : nil
        return .region(try Region(name, text: text, defined: defined, shape: shape, wishes: wishes))
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
