internal import JSON
internal import Quantities
internal import Tracking

enum VehicleState {
    /// Every message has the keys that the templates read.
    static func json(after record: Record) -> JSONValue {
        var members: [String: JSONValue] = [
            "state": .text(record.isMoving ? "moving" : "parked"),
            "speed": .number(record.kilometresPerHour, decimals: 1),
            // Kilometres.
            "odometer": .number(record.odometer.value / 1000, decimals: 3),
            "ignition": .flag(orNull: record.ignition),
            "voltage": .number(record.supply?.value, decimals: 2),
            "time": .text(record.time.description),
            "event": .text(record.kind.rawValue),
        ]
        members["trip"] = record.trip.map { .integer(Int64($0)) }
        members["tag"] = record.tag.map(JSONValue.text)
        members["regions"] = record.regions.map { .list($0.map { .text($0.name) }) }
        return .object(members)
    }
}

/// The members are attributes of Home Assistant's device trackers.
enum VehiclePlace {
    static func json(of record: Record) -> JSONValue? {
        guard let position = record.position else { return nil }
        // Home Assistant treats a missing accuracy as an exact position.
        let accuracy = position.accuracy?.value.wholeNumber.map { max(1, $0) } ?? unknownAccuracy
        return .object(withoutNull: [
            "latitude": .number(position.coordinate.latitude, decimals: 7),
            "longitude": .number(position.coordinate.longitude, decimals: 7),
            "gps_accuracy": .integer(Int64(accuracy)),
            "altitude": .integer(orNull: position.altitude?.value.wholeNumber),
            "course": .integer(orNull: position.course?.value.wholeNumber.map { $0 % 360 }),
            "speed": .number(record.kilometresPerHour, decimals: 1),
            "time": .text(record.time.description),
        ])
    }

    /// Stands for an unknown accuracy, in metres; most receivers are better.
    private static let unknownAccuracy = 50
}

extension Record {
    /// 0 while parked, because a receiver at rest often reports a low speed.
    fileprivate var kilometresPerHour: Double? {
        isMoving ? position?.speed.map { $0.value * 3.6 } : 0
    }
}
