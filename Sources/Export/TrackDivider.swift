import Quantities
import Tracking

/// Divides records in order of time into the tracks of trips, and the tracks into segments.
struct TrackDivider {
    enum Place: Sendable, Hashable {
        case sameSegment
        case newSegment
        case newTrip
    }

    /// The longest time between two points of a segment; a drive with fixes is recorded more often.
    private static let longestPause = Duration.seconds(300)

    /// The time of a departure is often an estimate, so the first fix may be farther away by this distance than the
    /// vehicle can have driven since.
    private static let unseenDistance = Metres(250)

    private var trip: Int?
    private var last: (time: Timestamp, position: Position, isDeparture: Bool)?
    private var isOpen = false

    /// Nil if the record is not a point of a trip's track. The points are the track points, departures and arrivals
    /// that belong to a trip and have a position and a trusted time. A segment ends at an arrival, at the departure of
    /// a vehicle that was moved unseen, and at a report of a missing fix or a fault of the receiver. It also ends
    /// before a pause of more than five minutes, and before a point that the vehicle cannot have reached by driving,
    /// such as the first fix after a ferry.
    mutating func place(_ record: Record) -> Place? {
        switch record.content {
        case .location: return take(record)
        case .motionchange:
            // If no segment is open, the parked vehicle was found elsewhere, or there was no fix before the arrival.
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
        guard let number = record.trip, let position = record.position, record.isTimeTrusted else { return nil }
        let isDeparture = record.kind == .motionchange && record.isMoving
        defer {
            (trip, last) = (number, (record.time, position, isDeparture))
            isOpen = record.trigger != .movedUnseen
        }
        guard number == trip else { return .newTrip }
        guard isOpen, let last, record.time - last.time <= Self.longestPause else { return .newSegment }
        let seconds = max(1, (record.time - last.time).inSeconds)
        let way =
            last.isDeparture
            ? Self.unseenDistance + Metres(Fix.fastestStart.value * seconds) : Metres(Fix.fastest.value * seconds)
        return position.isProvablyAway(from: last.position, by: way) ? .newSegment : .sameSegment
    }
}
