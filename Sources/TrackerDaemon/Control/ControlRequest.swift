import Quantities
import Tracking
import TrackingOptions

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
    /// What is still to be delivered, and what was set aside.
    case queue
    /// Send again what was set aside.
    case retryQueue(QueueRetry)
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

/// Which of the records that were set aside are to be sent again.
package struct QueueRetry: Sendable, Hashable {
    /// The target that they were set aside for; nil: any.
    package let target: String?
    /// Their numbers; empty: all of them.
    package let sequences: [Int64]

    /// Chooses records.
    package init(target: String?, sequences: [Int64]) {
        self.target = target
        self.sequences = sequences
    }
}

/// A request that cannot be carried out, with the mend.
package struct ControlRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    let text: String

    init(_ text: String) { self.text = text }

    /// The reason, and what to do.
    package var description: String { text }
}
