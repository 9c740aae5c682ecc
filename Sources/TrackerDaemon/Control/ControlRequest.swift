import Quantities
import Tracking

/// What a client of the control socket may ask for; docs/control.md has the words.
enum ControlRequest: Sendable, Hashable {
    /// How it is with the tracker.
    case status
    /// Where the vehicle is, from a fix of now.
    case locate(ActionParameters)
    case move
    case stay
    case mode(MonitoringMode)
    /// Track, with options of one's own in place of those of the file; with none of one's own, as the file says.
    case startTracking(OptionLayer?)
    /// Track no more, and forget one's own options.
    case stopTracking
    case showTracking
    case startTrip(TripReport)
    case endTrip
    /// The places that are watched.
    case regions
    case waypoints
    case setWaypoint(WaypointOrder)
    /// Forget the waypoint of that key or name.
    case removeWaypoint(String)
    case clearWaypoints
    case odometer
    case setOdometer(Metres)
    /// Tag what is recorded from now on; nothing: no tag.
    case tag(String?)
}

/// A waypoint that somebody wants to set.
struct WaypointOrder: Sendable, Hashable {
    let name: String
    /// Where; where the vehicle is when left out.
    let place: Coordinate?
    /// How far around it is watched; nothing: it is only marked.
    let radius: Metres?
    /// The beacon that is watched instead.
    let beacon: BeaconIdentity?
}

/// A request that cannot be carried out, with the mend.
struct ControlRefusal: Error, Sendable, Hashable {
    let text: String

    init(_ text: String) { self.text = text }
}
