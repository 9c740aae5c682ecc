import JSON

/// A `cmd` message (booklet: tech/json) becomes requests of docs/control.md.
enum OwnTracksOrder {
    /// Nil for an unknown action, or a member that is missing or of the wrong type.
    static func requests(_ members: [String: JSONValue]) -> [[String: JSONValue]]? {
        switch members["action"] {
        case .text("reportLocation"): [request("locate")]
        case .text("status"), .text("dump"): [request("status")]
        case .text("restart"): [request("restart")]
        case .text("waypoints"): [request("waypoint list")]
        case .text("clearWaypoints"): [request("waypoint clear")]
        case .text("setWaypoints"): waypoints(members["waypoints"])
        case .text("setConfiguration"): configuration(members["configuration"])
        default: nil
        }
    }

    private static func request(_ name: String) -> [String: JSONValue] { ["request": .text(name)] }

    /// A list, or an object of type `waypoints` with the list.
    private static func waypoints(_ value: JSONValue?) -> [[String: JSONValue]]? {
        let list = value?.members?["waypoints"] ?? value
        guard case .list(let waypoints)? = list else { return nil }
        let keys = [
            "desc": "name", "lat": "latitude", "lon": "longitude", "rad": "radius", "uuid": "uuid", "major": "major",
            "minor": "minor",
        ]
        var requests: [[String: JSONValue]] = []
        for waypoint in waypoints {
            guard let members = waypoint.members else { return nil }
            var fields = request("waypoint set")
            for (key, name) in keys { fields[name] = members[key] }
            requests.append(fields)
        }
        return requests
    }

    /// With the keys of OwnTracks' apps; keys that are left out do not change.
    private static func configuration(_ value: JSONValue?) -> [[String: JSONValue]]? {
        guard var members = value?.members else { return nil }
        members["_type"] = nil
        var fields = request("options")
        fields["merge"] = .flag(true)
        fields["options"] = .object(["ownTracks": .object(members)])
        return [fields]
    }
}
