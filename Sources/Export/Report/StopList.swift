import Quantities
import Tracking

struct StopList: Sendable, Hashable {
    struct Stop: Sendable, Hashable {
        /// Nil if unknown, for example before the first record.
        var arrived: Timestamp?
        /// Nil if the vehicle was still there at the last record.
        var left: Timestamp?
        var place: Coordinate?
        var regions: [String]

        var length: Duration? {
            guard let arrived, let left else { return nil }
            return left - arrived
        }
    }

    private(set) var stops: [Stop] = []
    private var newest: Record?
    private var hasChanged = false
    private var hasMoved = false
    private var departures = HiddenDepartures()

    mutating func add(_ record: Record) {
        defer { newest = record }
        if departures.contains(record) { departUnseen(record) }
        if record.kind == .motionchange {
            if record.isMoving { depart(record) } else { arrive(record) }
            hasChanged = true
        }
        if case .visit(let visit) = record.content { complete(visit) }
    }

    /// Adds the stop of a vehicle that was parked from the first record to the last.
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

    /// The departure was not recorded, so the stop ends at this later record.
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

    /// A visit contains its arrival, even one from before the first record.
    private mutating func complete(_ visit: Visit) {
        guard let departed = visit.departed, let first = stops.indices.first, stops[first].arrived == nil,
            stops[first].left == departed
        else { return }
        stops[first].arrived = visit.arrived
    }
}

extension StopList.Stop {
    fileprivate init(_ record: Record) {
        self.init(place: record.position?.coordinate, regions: record.regions?.map(\.name) ?? [])
    }
}

/// Where the vehicle was parked; a month has too many stops for a table.
struct PlaceList: Sendable, Hashable {
    struct Place: Sendable, Hashable {
        let coordinate: Coordinate
        let regions: [String]
        fileprivate(set) var visits = 0
        /// The total time of visits whose beginning and end are known.
        fileprivate(set) var total = Duration.zero
        /// The last arrival, or the departure if the arrival is unknown.
        fileprivate(set) var last: Timestamp?
    }

    /// The longest total time first.
    let places: [Place]

    /// Within this radius, a stop belongs to a place if the stop or the place has no region names; otherwise the names
    /// decide.
    private static let samePlace = Metres(150)

    init(_ stops: [StopList.Stop]) {
        var places: [Place] = []
        for stop in stops {
            guard let coordinate = stop.place else { continue }
            let known = places.firstIndex { place in
                stop.regions.isEmpty || place.regions.isEmpty
                    ? place.coordinate.distance(to: coordinate) <= Self.samePlace : place.regions == stop.regions
            }
            if known == nil { places.append(Place(coordinate: coordinate, regions: stop.regions)) }
            let index = known ?? places.count - 1
            places[index].visits += 1
            places[index].total += stop.length ?? .zero
            places[index].last = stop.arrived ?? stop.left ?? places[index].last
        }
        self.places = places.enumerated().sorted { left, right in
            (right.element.total, right.element.visits, left.offset) < (
                left.element.total, left.element.visits, right.offset
            )
        }.map(\.element)
    }
}
