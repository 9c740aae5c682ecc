import Quantities

/// A moment at which a trip may begin or end: when and where that is, and whose trip it is then.
struct TripMoment: Sendable, Hashable {
    var time: Timestamp
    /// Whether the clock that gave `time` was to be trusted.
    var isTrusted: Bool
    /// Where the vehicle is; nothing when that is not known.
    var place: Coordinate?
    /// What the odometer shows.
    var odometer: Metres
    var labels = TripLabels()
}
