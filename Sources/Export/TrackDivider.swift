import Quantities
import Tracking

/// Divides records into the tracks of trips, and the tracks into segments; the records must be in order of time.
struct TrackDivider {
    /// The place of a point in the tracks.
    enum Place: Sendable, Hashable {
        /// The point continues the segment.
        case sameSegment
        /// The point begins a segment of the same trip.
        case newSegment
        /// The point begins a trip.
        case newTrip
    }

    /// The longest time between two points of a segment; during a drive with fixes, trackerd records more often than this.
    private static let longestPause = Duration.seconds(300)

    private var trip: Int?
    private var last: Timestamp?
    private var isOpen = false

    /// Returns the place of a record's point; nil if the record is not a point of a trip's track.
    ///
    /// The points are the track points, the departures and the arrivals that have a trip, a position and a trusted
    /// time. A segment ends at an arrival, at a report of a missing fix or a fault of the receiver, or before a pause
    /// of more than five minutes.
    mutating func place(_ record: Record) -> Place? {
        switch record.content {
        case .location: return take(record)
        case .motionchange:
            // If no segment is open, trackerd has found the parked vehicle at another position, or the receiver had no
            // fix before the arrival. The record is then not a point of the track.
            guard record.isMoving || isOpen else { return nil }
            let place = take(record)
            isOpen = isOpen && record.isMoving
            return place
        case .providerchange(let change):
            switch change.state {
            case .available, .jammed, .jammingEnded: break
            case .silent, .frozen, .noFix, .unswitchable: isOpen = false
            }
            return nil
        case .visit, .transition, .waypoint, .trip, .request, .ping, .power, .health, .optionschange, .driving, .order:
            return nil
        }
    }

    private mutating func take(_ record: Record) -> Place? {
        guard let number = record.trip, record.position != nil, record.isTimeTrusted else { return nil }
        defer { (trip, last, isOpen) = (number, record.time, true) }
        guard number == trip else { return .newTrip }
        guard isOpen, let last, record.time - last <= Self.longestPause else { return .newSegment }
        return .sameSegment
    }
}
