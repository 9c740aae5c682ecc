import Quantities
import Tracking

/// The places where the vehicle was parked, in order of time.
struct StopList: Sendable, Hashable {
    /// A place, with the times of arrival and departure.
    struct Stop: Sendable, Hashable {
        /// When the vehicle arrived; nil if unknown, for example because the arrival was before the first record.
        var arrived: Timestamp?
        /// When the vehicle left; nil if it was still there at the last record.
        var left: Timestamp?
        /// Where the vehicle was; nil if unknown.
        var place: Coordinate?
        var regions: [String]

        /// How long the vehicle was parked; nil if the arrival or the departure is unknown.
        var length: Duration? {
            guard let arrived, let left else { return nil }
            return left - arrived
        }
    }

    private(set) var stops: [Stop] = []
    private var newest: Record?
    private var hasChanged = false
    /// Whether a record shows that the vehicle was moving.
    private var hasMoved = false
    private var departures = HiddenDepartures()

    /// Adds the next record.
    mutating func add(_ record: Record) {
        defer { newest = record }
        if departures.contains(record) { departUnseen(record) }
        switch record.content {
        case .motionchange:
            if record.isMoving { depart(record) } else { arrive(record) }
            hasChanged = true
        case .visit(let visit): complete(visit)
        case .location, .transition, .waypoint, .trip, .request, .ping, .providerchange, .power, .health,
            .optionschange, .driving, .order:
            break
        }
    }

    /// Adds the place of a vehicle that was parked from the first record to the last.
    mutating func finish() {
        guard !hasChanged, !hasMoved, let newest, !newest.isMoving else { return }
        stops.append(Stop(newest))
    }

    private mutating func depart(_ record: Record) {
        if let last = stops.indices.last {
            if stops[last].left == nil { stops[last].left = record.time }
        } else if !hasChanged {
            var stop = Stop(record)
            stop.left = record.time
            stops.append(stop)
        }
    }

    /// Ends the last stop of a vehicle that departed in a private period; the time of the departure is unknown.
    private mutating func departUnseen(_ record: Record) {
        hasMoved = true
        if let last = stops.indices.last, stops[last].left == nil { stops[last].left = record.time }
    }

    private mutating func arrive(_ record: Record) {
        // If there was no departure, trackerd has found the parked vehicle at another place.
        if let last = stops.indices.last, stops[last].left == nil { stops[last].left = record.time }
        // After its start, trackerd also records an arrival if the vehicle was already parked. The real arrival is then unknown.
        let wasParked = !hasChanged && !hasMoved && newest?.isMoving == false
        var stop = Stop(record)
        stop.arrived = wasParked ? nil : record.time
        stops.append(stop)
    }

    /// Completes the first stop, because the record of a visit contains the arrival even if the vehicle arrived before
    /// the first record.
    private mutating func complete(_ visit: Visit) {
        guard let departed = visit.departed, let first = stops.indices.first, stops[first].arrived == nil,
            stops[first].left == departed
        else { return }
        stops[first].arrived = visit.arrived
    }
}

extension StopList.Stop {
    /// Makes a stop at the place of a record, without times.
    fileprivate init(_ record: Record) {
        self.init(place: record.position?.coordinate, regions: record.regions?.map(\.name) ?? [])
    }
}
