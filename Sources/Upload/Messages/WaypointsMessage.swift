internal import Tracking

/// The list of the waypoints, with which OwnTracks' apps answer the command `waypoints` (booklet: tech/json, `waypoints`).
struct WaypointsMessage: Encodable {
    let _type = "waypoints"
    let _id: String
    var topic: String?
    let waypoints: [[String: JSONValue]]

    enum CodingKeys: CodingKey { case _type, _id, topic, waypoints }

    /// Reads the list from the record about the command.
    ///
    /// The result is nil for a record about another order, for a command of another target's server, and for an answer
    /// without a list.
    init?(_ stored: StoredRecord, for target: UploadTarget) {
        guard case .order(let report) = stored.record.content, report.request == "waypoints",
            report.target == target.name, case .list(let list)? = report.data.flatMap(JSONValue.init(json:))
        else { return nil }
        _id = stored.uuid
        waypoints = list.compactMap(\.members).map(Self.waypoint)
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
