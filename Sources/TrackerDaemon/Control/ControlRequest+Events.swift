import Quantities
import Tracking
import TrackingOptions

/// What an order becomes for the engine.
extension ControlRequest {
    /// The events that carry it out, in this order; none when it only asks.
    func events(for engine: Engine, at time: Timestamp) throws(ControlRefusal) -> [Event] {
        switch self {
        case .status, .showTracking, .regions, .waypoints, .odometer, .queue, .retryQueue: []
        case .locate(let action): [.command(.locate(LocationRequest(action: action)))]
        case .move: [.command(.move)]
        case .stay: [.command(.stay)]
        case .mode(let mode): [.command(.mode(mode))]
        case .startTracking(let layer):
            [.options(.custom, layer.map { [$0] } ?? []), .command(.tracking(isOn: true))]
        case .stopTracking: [.command(.tracking(isOn: false)), .options(.custom, [])]
        case .startTrip(let report): [.command(.startTrip(report))]
        case .endTrip: [.command(.endTrip)]
        case .setWaypoint(let order): [.command(.waypoint(try order.waypoint(for: engine, at: time)))]
        case .removeWaypoint(let name): [.command(.forgetWaypoint(try Self.key(of: name, in: engine.state.waypoints)))]
        case .clearWaypoints: [.command(.clearWaypoints)]
        case .setOdometer(let distance): [.command(.odometer(distance))]
        case .tag(let tag): [.command(.tag(tag))]
        }
    }

    private static func key(of name: String, in waypoints: [Waypoint]) throws(ControlRefusal) -> String {
        if let waypoint = waypoints.first(where: { $0.key == name || $0.text == name }) { return waypoint.key }
        let hint = Spelling.nearest(to: name, among: waypoints.map(\.text)).map { " Did you mean `\($0)`?" }
        let rest = " `trackerd waypoint list` shows them; regions of the configuration are removed there."
        throw ControlRefusal("`\(name)` is no waypoint.\(hint ?? rest)")
    }
}

extension WaypointOrder {
    /// The waypoint; one of the same name is changed, and keeps its key.
    fileprivate func waypoint(for engine: Engine, at time: Timestamp) throws(ControlRefusal) -> Waypoint {
        let known = engine.state.waypoints
        let earlier = known.first { $0.text == name }
        let place = place ?? earlier?.coordinate ?? engine.lastKnownLocation?.coordinate
        guard place != nil || beacon != nil else {
            throw ControlRefusal("where the vehicle is is not known yet. Give `latitude` and `longitude`.")
        }
        // The key of OwnTracks is the second in which a waypoint was made.
        var defined = Timestamp(milliseconds: time.seconds * 1000)
        while known.contains(where: { $0.key == String(defined.seconds) }) { defined = defined + .seconds(1) }
        let waypoint = Waypoint(
            text: name, coordinate: place, radius: radius ?? earlier?.radius, beacon: beacon ?? earlier?.beacon,
            defined: earlier?.defined ?? defined, id: earlier?.id)
        do throws(RegionProblem) {
            _ = try waypoint.watching()
        } catch {
            throw ControlRefusal("\(error)")
        }
        return waypoint
    }
}
