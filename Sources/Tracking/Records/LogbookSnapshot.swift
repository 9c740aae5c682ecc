package import Quantities

extension Logbook {
    /// What survives a restart.
    package struct Snapshot: Sendable, Hashable, Encodable {
        /// Where the vehicle was parked last; nil before the first good fix.
        package var parked: Position?
        /// When it came to rest there.
        package var parkedSince: Timestamp?
        /// The last fix that was accepted.
        package var lastFix: AcceptedFix?
        /// Whether `lastFix` was taken since the departure; without meaning while the vehicle is parked.
        package var isLastFixOfTrip = false
        /// The last point of the track.
        package var lastRecorded: TrackPoint?
        /// The visit that ends, if the start turns out to be real.
        package var endingStay: Visit?
        /// The trips.
        package var trips = TripLog()
        /// Metres driven.
        package var odometer = Odometer()
        /// What records are tagged with.
        package var tag: String?

        package enum CodingKeys: String, CodingKey {
            case parked, parkedSince, lastFix, isLastFixOfTrip, lastRecorded, endingStay, trips, odometer, tag
        }
    }

    /// What survives a restart.
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
