@testable import Formats
import Quantities
import Tracking
@testable import Upload

extension UploadTarget {
    static func sample(
        _ url: String, _ format: String, caFile: String? = nil, mqtt: MQTTOptions = MQTTOptions()
    ) throws -> UploadTarget {
        try UploadTarget(
            name: "home", url: url, format: format, user: "fleet", device: "van1", trackerID: "V1",
            access: TargetAccess(caFile: caFile), mqtt: mqtt)
    }
}

extension Verdict {
    /// The reason of `linkFailed`, of `timedOut`, or of `retry` if the server states no time for the retry; nil for other
    /// verdicts.
    var passingReason: String? {
        switch self {
        case .linkFailed(let reason), .timedOut(let reason), .retry(let reason, after: nil): reason
        case .retry, .delivered, .withheld, .postponed, .refused, .unwritable, .unauthorised: nil
        }
    }
}

extension UploadTarget {
    static func sample(_ url: String, _ format: any UploadFormat) throws -> UploadTarget {
        try UploadTarget(
            name: "home", url: url, format: format.name, user: "fleet", device: "van1", trackerID: "V1",
            settings: format)
    }
}

extension StoredRecord {
    /// A record whose position has every value except `solution`.
    static let whole = StoredRecord(
        sequence: 7, uuid: "0199c7a2-8c00-7a10-9d54-0d0f7d2f5a10", created: Timestamp(milliseconds: 1_760_000_002_250),
        record: Record(
            .motionchange, time: Timestamp(milliseconds: 1_760_000_000_000), isTimeTrusted: true,
            position: Coordinate(latitude: 52.374031, longitude: 4.889692).map {
                Position(
                    coordinate: $0, accuracy: Metres(5.8), altitude: Metres(3.2), ellipsoidAltitude: Metres(46.1),
                    verticalAccuracy: Metres(9.1), speed: MetresPerSecond(13.06), course: Degrees(212.4), satellites: 9)
            },
            isMoving: true, odometer: Metres(18_342_700), trip: 3))

    /// A record with a place and no other optional value.
    static let bare = StoredRecord(
        sequence: 8, uuid: "0199c7a2-8c00-7a10-9d54-0d0f7d2f5a11", created: Timestamp(milliseconds: 1_760_000_000_900),
        record: Record(
            .location, time: Timestamp(milliseconds: 1_760_000_000_000), isTimeTrusted: false,
            position: Coordinate(latitude: -0.5, longitude: 179.99999994).map { Position(coordinate: $0) },
            isMoving: false, odometer: .zero, trip: nil))

    func with(_ change: (inout Record) -> Void) -> StoredRecord {
        var record = record
        change(&record)
        return StoredRecord(sequence: sequence, uuid: uuid, created: created, record: record)
    }
}
