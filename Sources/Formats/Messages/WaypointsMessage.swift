internal import JSON
internal import Tracking

/// The list of the waypoints, with which OwnTracks' apps answer the command `waypoints` (booklet: tech/json, `waypoints`).
enum WaypointsMessage {
    /// Reads the list from the record about the command.
    ///
    /// The result is nil for a record about another order, for a command of another target's server, and for an answer
    /// without a list.
    static func members(_ stored: StoredRecord, for sender: Sender) -> [String: JSONValue]? {
        guard case .order(let report) = stored.record.content, report.request == "waypoints",
            report.target == sender.target, case .list(let list)? = report.data.flatMap(JSONValue.init(json:))
        else { return nil }
        return [
            "_type": .text("waypoints"), "_id": .text(stored.uuid),
            "waypoints": .list(list.compactMap(\.members).map { .object(waypoint($0)) }),
        ]
    }

    /// Converts a waypoint of docs/control.md, whose keys are already those of OwnTracks.
    private static func waypoint(_ members: [String: JSONValue]) -> [String: JSONValue] {
        let whole = ["desc", "rid", "tst", "uuid"].map { ($0, members[$0] ?? .null) }
        let degrees = ["lat", "lon"].map { ($0, JSONValue.number(members[$0]?.double, decimals: 7)) }
        var waypoint = Dictionary(uniqueKeysWithValues: whole + degrees).withoutNull
        waypoint["_type"] = .text("waypoint")
        // Home Assistant requires the key; 0 means that the waypoint has no border.
        waypoint["rad"] = .integer(Int64(members["rad"]?.double?.wholeNumber ?? 0))
        guard waypoint["uuid"] != nil else { return waypoint }
        // In the message, 0 means any number.
        for key in ["major", "minor"] { waypoint[key] = members[key] ?? .integer(0) }
        return waypoint
    }

    /// Where the broker's subscribers expect the list.
    static let topicSuffix = "/waypoints"
}
