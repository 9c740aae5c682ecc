import Quantities

/// A moment at which a trip may begin or end, with its time, its position and the labels of the trip.
struct TripMoment: Sendable, Hashable {
    var time: UTCTime
    /// Where the vehicle is; nil if the position is unknown.
    var place: Coordinate?
    var odometer: Metres
    var labels = TripLabels()
}

/// Vehicle, driver and tag of a trip.
struct TripLabels: Sendable, Hashable, Codable {
    /// The vehicle that a beacon identified.
    var vehicle: String?
    /// The driver that a beacon identified.
    var driver: String?
    var tag: String?

    /// Returns these labels with missing names copied from an earlier part of the trip; the tag does not change.
    func completed(by earlier: TripLabels?) -> TripLabels {
        TripLabels(vehicle: vehicle ?? earlier?.vehicle, driver: driver ?? earlier?.driver, tag: tag)
    }
}

/// The beginning or the end of a trip.
struct TripEvent: Sendable, Hashable {
    /// Further data for the record of a trip's end; the engine may write this record long after the stop.
    struct End: Sendable, Hashable {
        var labels: TripLabels
        /// Whether the time of the end comes from a trusted clock.
        var isDated: Bool
        /// Whether the vehicle was parked at the end.
        var isParked: Bool
        /// Whether the report stays on the device.
        var isKept = false
    }

    /// The trip, with its summary if it has ended.
    var report: TripReport
    /// The data of the end; nil for the beginning of a trip.
    var end: End?

    init(_ report: TripReport, _ end: End? = nil) {
        self.report = report
        self.end = end
    }
}
