package import Store
import Tracking

package struct NameTripRequest: ControlRequest {
    package static let tripKey = ControlKey("trip", "the number of the trip")
    package static let nameKey = ControlKey("name", "the name (an empty name removes the present name)")
    package static let manual = ControlManual(
        "trips name", "Names a recorded trip. Servers do not receive the name.", keys: [tripKey, nameKey],
        command: "`trackerd trips name 7 \"Moving house\"`")

    package let trip: Int
    package let name: String

    package init?(_ reader: inout RequestReader) {
        let number = reader.tripNumber(Self.tripKey)
        let text = reader.necessaryText(Self.nameKey, orEmpty: true)
        guard let number, let text else { return nil }
        (trip, name) = (number, text)
    }

    package func run(in session: any Session) throws(ControlError) -> ControlOutcome? {
        try session.withTrips { try TripDesk($0, targets: $1).name(trip, name) }
    }
}

package struct PurgeTripRequest: ControlRequest {
    package static let tripKey = ControlKey("trip", "the number of the trip, which must have ended")
    package static let undeliveredKey = ControlKey(
        "undelivered",
        "true: also delete records that wait for a target; without it, such records make the request fail"
    )
    package static let afterKey = ControlKey(
        "after", "the value of `after` in the previous answer, to continue the deletion")
    package static let manual = ControlManual(
        "trips purge", "Permanently deletes the records of a trip from the device.",
        keys: [tripKey, undeliveredKey, afterKey], command: "`trackerd trips purge 7 --yes`",
        response:
            "`removed`: the number of deleted records; `after`: if this value is present, repeat the request with it")

    package let trip: Int
    package let deletesUndelivered: Bool
    /// The last record that an earlier request read; nil in the first request.
    package let after: Int64?

    package init?(_ reader: inout RequestReader) {
        let number = reader.tripNumber(Self.tripKey)
        deletesUndelivered = reader.flag(Self.undeliveredKey) ?? false
        after = reader.number(Self.afterKey, 0...999_999_999_999_999).map { Int64($0) }
        guard let number else { return nil }
        trip = number
    }

    package func run(in session: any Session) throws(ControlError) -> ControlPurge? {
        try session.withTrips { try TripDesk($0, targets: $1).purge(trip, deletesUndelivered, after) }
    }
}

package struct ControlPurge: Codable, Sendable, Hashable {
    package let removed: Int
    /// The record after which the next request continues; nil if the deletion is complete.
    package let after: Int64?

    package init(removed: Int, after: Int64?) {
        (self.removed, self.after) = (removed, after)
    }
}

/// Names and deletes recorded trips, for requests, and for commands while no daemon is running.
package struct TripDesk {
    private let table: TripTable
    private let targets: [String]

    package init(_ table: TripTable, targets: [String]) {
        self.table = table
        self.targets = targets
    }

    package func name(_ trip: Int, _ name: String) throws -> ControlOutcome {
        guard try table.standing(of: trip) != .unknown else { throw unknown(trip) }
        try table.setName(name.isEmpty ? nil : name, of: trip)
        let text =
            name.isEmpty
            ? "Trip \(trip) has no name." : "Trip \(trip) has the name `\(name)`."
        return ControlOutcome(text: text, on_disk: true, records: [])
    }

    /// Deletes the next records of a trip. The first request throws if the trip is unknown or has not ended, or if it has
    /// undelivered records and `deletesUndelivered` is false.
    package func purge(_ trip: Int, _ deletesUndelivered: Bool, _ after: Int64?) throws -> ControlPurge {
        if after == nil { try check(trip, deletesUndelivered) }
        let step = try table.remove(trip, after: after)
        return ControlPurge(removed: step.removed, after: step.after)
    }

    private func check(_ trip: Int, _ deletesUndelivered: Bool) throws {
        switch try table.standing(of: trip) {
        case .unknown: throw unknown(trip)
        case .underWay:
            throw ControlError("trip \(trip) has not ended. Wait until trackerd has recorded its end.")
        case .ended: break
        }
        guard !deletesUndelivered, try table.hasUndelivered(of: trip, targets: targets) else { return }
        throw ControlError(
            """
            records of trip \(trip) wait for a target. Wait until `trackerd queue` shows that no records wait, or add \
            `undelivered` (--undelivered) to delete these records too.
            """)
    }

    private func unknown(_ trip: Int) -> ControlError {
        ControlError("the database has no trip \(trip). `trackerd trips` lists the trips with their numbers.")
    }
}

extension RequestReader {
    fileprivate mutating func tripNumber(_ key: ControlKey) -> Int? {
        guard text(key) != nil else {
            note("`\(key.name)` is missing.")
            return nil
        }
        return number(key, 1...1_000_000_000).flatMap { Int(exactly: $0.rounded()) }
    }
}
