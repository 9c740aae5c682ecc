package import Quantities

extension Logbook {
    /// The part of the logbook that survives a restart.
    package struct Snapshot: Sendable, Hashable, Encodable {
        /// Where the vehicle is parked or was last parked; nil if this place is unknown.
        package var parked: Position?
        /// When the vehicle came to rest at `parked`.
        package var parkedSince: Timestamp?
        package var lastFix: AcceptedFix?
        /// Whether `lastFix` arrived after the departure; meaningless while the vehicle is parked.
        package var isLastFixOfTrip = false
        package var lastRecorded: TrackPoint?
        /// The completed visit that the logbook records when the start is confirmed.
        package var endingStay: Visit?
        package var trips = TripLog()
        /// The distance driven.
        package var odometer = Odometer()
        package var tag: String?

        package enum CodingKeys: String, CodingKey {
            case parked, parkedSince, lastFix, isLastFixOfTrip, lastRecorded, endingStay, trips, odometer, tag
        }
    }

    /// The state to keep over a restart.
    var snapshot: Snapshot {
        Snapshot(
            parked: parked, parkedSince: parkedSince, lastFix: lastFix, isLastFixOfTrip: isLastFixOfTrip,
            lastRecorded: lastRecorded, endingStay: pendingVisit, trips: trips.log, odometer: odometer, tag: tag)
    }
}

extension Logbook.Snapshot: EngineSnapshot {
    mutating func read(_ fields: inout SnapshotReader<CodingKeys>) {
        fields.read(.parked, into: &parked)
        fields.read(.parkedSince, into: &parkedSince)
        fields.read(.lastFix, into: &lastFix)
        fields.read(.isLastFixOfTrip, into: &isLastFixOfTrip)
        fields.read(.lastRecorded, into: &lastRecorded)
        fields.read(.endingStay, into: &endingStay)
        fields.read(.trips, into: &trips)
        fields.read(.odometer, into: &odometer)
        fields.read(.tag, into: &tag)
    }
}
