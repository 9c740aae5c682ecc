import Quantities

struct TripMoment: Sendable, Hashable {
    var time: UTCTime
    var place: Coordinate?
    var odometer: Metres
    var labels = TripLabels()
}

struct TripLabels: Sendable, Hashable, Codable {
    var vehicle: String?
    var driver: String?
    var tag: String?

    /// Takes missing names from an earlier part of the trip; the tag stays.
    func completed(by earlier: TripLabels?) -> TripLabels {
        TripLabels(vehicle: vehicle ?? earlier?.vehicle, driver: driver ?? earlier?.driver, tag: tag)
    }
}

struct TripEvent: Sendable, Hashable {
    /// The end may be written long after the stop.
    struct End: Sendable, Hashable {
        var labels: TripLabels
        /// A trusted clock dated the end.
        var isDated: Bool
        var isParked: Bool
        /// The record stays on the device.
        var isKept = false
    }

    var report: TripReport
    /// Nil for the start of a trip.
    var end: End?

    init(_ report: TripReport, _ end: End? = nil) {
        self.report = report
        self.end = end
    }
}
