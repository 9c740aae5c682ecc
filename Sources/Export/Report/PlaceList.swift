import Quantities

/// Where the vehicle was parked; a month has too many stops for a table.
struct PlaceList: Sendable, Hashable {
    struct Place: Sendable, Hashable {
        let coordinate: Coordinate
        let regions: [String]
        fileprivate(set) var visits = 0
        /// Of visits whose beginning and end are known.
        fileprivate(set) var total = Duration.zero
        /// Or its end if the beginning is unknown.
        fileprivate(set) var last: Timestamp?
    }

    /// The longest total time first.
    let places: [Place]

    /// For visits or places without region names.
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
