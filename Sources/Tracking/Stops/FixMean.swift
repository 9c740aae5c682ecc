import Quantities

/// The mean of fixes that were taken at one place, each with the weight that its error leaves it.
struct FixMean: Sendable, Hashable {
    /// The fix that it began with.
    let first: AcceptedFix
    private var weight = 0.0
    private var east = 0.0
    private var north = 0.0

    init(_ fix: AcceptedFix) {
        first = fix
        add(fix)
    }

    /// Takes one more fix of the place.
    mutating func add(_ fix: AcceptedFix) {
        let error = max(1, fix.position.error.value)
        let share = 1 / (error * error)
        let offset = first.coordinate.offset(to: fix.coordinate)
        weight += share
        east += share * offset.east.value
        north += share * offset.north.value
    }

    /// Where the place is.
    var coordinate: Coordinate {
        first.coordinate.moved(east: Metres(east / weight), north: Metres(north / weight))
    }

    /// The place as a position at rest, with what the first fix said else.
    var position: Position {
        var position = first.position
        position.coordinate = coordinate
        position.speed = .zero
        position.course = nil
        return position
    }
}
