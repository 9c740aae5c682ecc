package import Quantities

extension Logbook {
    package struct Snapshot: Sendable, Hashable, Encodable {
        package var parked: Position?
        package var parkedSince: Timestamp?
        package var lastFix: AcceptedFix?
        package var isLastFixOfTrip = false
        package var lastRecorded: TrackPoint?
        package var endingStay: Visit?
        package var lastUnasked: Timestamp?
        package var trips = TripLog()
        package var odometer = Odometer()
        package var tag: String?

        package enum CodingKeys: String, CodingKey {
            case parked, parkedSince, lastFix, isLastFixOfTrip, lastRecorded, endingStay, lastUnasked, trips, odometer,
                tag
        }
    }

    var snapshot: Snapshot {
        Snapshot(
            parked: parked, parkedSince: parkedSince, lastFix: lastFix, isLastFixOfTrip: isLastFixOfTrip,
            lastRecorded: lastRecorded, endingStay: pendingVisit, lastUnasked: lastUnasked, trips: trips.log,
            odometer: odometer, tag: tag)
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
        fields.read(.lastUnasked, into: &lastUnasked)
        fields.read(.trips, into: &trips)
        fields.read(.odometer, into: &odometer)
        fields.read(.tag, into: &tag)
    }
}
