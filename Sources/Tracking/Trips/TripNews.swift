/// What is to be told of a trip: that it has begun, or what came of it.
struct TripNews: Sendable, Hashable {
    /// What the record of an end says beside the figures: it may be told long after the stop.
    struct End: Sendable, Hashable {
        var labels: TripLabels
        /// Whether the clock that dated it was to be trusted.
        var isDated: Bool
        /// Whether the vehicle stood then.
        var isParked: Bool
    }

    var report: TripReport
    /// How it ended; nothing when it has begun.
    var end: End?

    init(_ report: TripReport, _ end: End? = nil) {
        self.report = report
        self.end = end
    }
}
