internal import Quantities
package import Tracking

package enum SampleRecords {
    /// Returns `count` locations, a second apart, numbered from 1.
    package static func many(_ count: Int) -> [StoredRecord] { (0..<count).map { location(Int64($0) + 1) } }

    package static func location(_ sequence: Int64) -> StoredRecord {
        let time = Timestamp(milliseconds: 1_760_000_000_000 + sequence * 1000)
        let place = Coordinate(latitude: 52.374031 + Double(sequence) * 1e-5, longitude: 4.889692)
        let record = Record(
            .location, time: time, isTimeTrusted: true,
            position: place.map { Position(coordinate: $0, accuracy: Metres(6)) }, isMoving: true,
            odometer: Metres(Double(sequence)), trip: 1)
        return StoredRecord(sequence: sequence, uuid: uuid(sequence), created: time, record: record)
    }

    package static func placeless(_ sequence: Int64) -> StoredRecord {
        let whole = location(sequence)
        var record = whole.record
        record.position = nil
        return StoredRecord(sequence: sequence, uuid: whole.uuid, created: whole.created, record: record)
    }

    /// Returns the same record as `location`, as the end of a drive.
    package static func stop(_ sequence: Int64) -> StoredRecord {
        let whole = location(sequence)
        var record = whole.record
        (record.content, record.isMoving) = (.motionchange, false)
        return StoredRecord(sequence: sequence, uuid: whole.uuid, created: whole.created, record: record)
    }

    private static func uuid(_ sequence: Int64) -> String {
        let digits = String(sequence, radix: 16)
        return "0199c000-0000-7000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }
}
