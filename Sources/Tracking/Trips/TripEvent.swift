import Quantities

/// A moment at which a trip may begin or end: when and where that is, and whose trip it is then.
struct TripMoment: Sendable, Hashable {
    var time: UTCTime
    /// Where the vehicle is; nil if that is not known.
    var place: Coordinate?
    /// What the odometer shows.
    var odometer: Metres
    var labels = TripLabels()
}

/// Vehicle, driver and tag of a trip.
struct TripLabels: Sendable, Hashable, Codable {
    /// The vehicle that a beacon named.
    var vehicle: String?
    /// The driver that a beacon named.
    var driver: String?
    /// The tag in force.
    var tag: String?

    /// Fills in the names of an earlier part of the trip, where no beacon was heard since; the tag is the one in force.
    func completed(by earlier: TripLabels?) -> TripLabels {
        TripLabels(vehicle: vehicle ?? earlier?.vehicle, driver: driver ?? earlier?.driver, tag: tag)
    }
}

/// A trip began or ended.
struct TripEvent: Sendable, Hashable {
    /// What the record of an end carries beside the figures; it may be written long after the stop.
    struct End: Sendable, Hashable {
        var labels: TripLabels
        /// Whether a trusted clock dated it.
        var isDated: Bool
        /// Whether the vehicle stood then.
        var isParked: Bool
    }

    /// The trip, with its summary if it has ended.
    var report: TripReport
    /// How it ended; nil if it has begun.
    var end: End?

    init(_ report: TripReport, _ end: End? = nil) {
        self.report = report
        self.end = end
    }
}
