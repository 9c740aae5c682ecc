import FoundationEssentials
import JSON
package import Quantities
import Store
package import Tracking
import TrackingOptions

/// The requests of a server's order. All are read and their permissions checked before the first is carried out.
package struct RemoteOrder {
    /// `expires` may be at most this far ahead.
    private static let longestLife = Duration.seconds(7 * 86_400)

    /// Empty if OwnTracks' `setWaypoints` has no waypoint.
    package let requests: [any ControlRequest]

    /// Checks the order against the current permissions, which may have changed since it arrived. `time` matters only for an
    /// order with `expires`, and must then be trusted; `waypoints` is the number of stored waypoints.
    package init(
        _ order: StoredOrder, time: Timestamp, waypoints: Int, permits: (RemotePermission) -> Bool
    ) throws(ControlError) {
        guard let members = JSONValue(json: order.body)?.members else { throw ControlError("the order is unreadable.") }
        if let expires = order.expires { try Self.check(expires, at: time) }
        let bodies = members["_type"] == nil ? [members] : OwnTracksOrder.requests(members)
        guard let bodies else { throw ControlError("the message does not contain the data that this action needs.") }
        var requests: [any ControlRequest] = []
        for body in bodies {
            let request = try ControlLine.request(body, among: RemoteRequests.all)
            try Self.check(request, permits)
            requests.append(request)
        }
        let most = SetWaypointRequest.mostWaypoints
        let added = requests.count { $0 is SetWaypointRequest }
        guard added + waypoints <= most || requests.count == 1 else {
            throw ControlError("the tracker can have at most \(most) waypoints.")
        }
        self.requests = requests
    }

    /// The name of the request or action, for the record about the order.
    package static func name(in order: StoredOrder) -> String {
        let members = JSONValue(json: order.body)?.members
        guard case .text(let name)? = members?["request"] ?? members?["action"] else { return "?" }
        return name
    }

    private static func check(
        _ request: any ControlRequest, _ permits: (RemotePermission) -> Bool
    ) throws(ControlError) {
        guard let permission = type(of: request).permission, permits(permission)
        else { throw ControlError("the target no longer permits this request.") }
        // These options would replace the owner's whole section `tracking`, without limits and without a trial.
        if let start = request as? StartTrackingRequest, start.layer != nil {
            throw ControlError("a server cannot start tracking with options. Send the request `options`.")
        }
        guard let mode = (request as? ModeRequest)?.mode, !reportingModes.contains(mode) else { return }
        guard permits(.silence) else {
            throw ControlError(
                "the mode \(mode.name) would silence the tracker. Add `silence` to the target's `control`.")
        }
    }

    /// The modes that a server may set without `silence`.
    private static let reportingModes: Set<MonitoringMode> = [.significant, .move]

    private static func check(_ expires: Timestamp, at time: Timestamp) throws(ControlError) {
        guard expires >= time else { throw ControlError("the order expired at \(expires).") }
        guard expires - time <= longestLife else { throw ControlError("`expires` is more than 7 days ahead.") }
    }
}

enum RemoteRequests {
    /// All requests that a target can permit; only servers send the last two.
    static let all =
        ControlRequests.all.filter { $0.permission != nil } + [RegionsRequest.self, RemoteOptionsRequest.self]
}

extension OrderReport {
    package init(_ order: StoredOrder, in session: any Session) {
        self.init(
            target: order.target, id: order.id, request: RemoteOrder.name(in: order), isAccepted: false, text: "",
            data: nil)
        do throws(ControlError) {
            let requests = try RemoteOrder(
                order, time: session.time, waypoints: session.engine.state.regions.waypoints.count,
                permits: session.permits
            ).requests
            for request in requests { try request.check(in: session) }
            for request in requests {
                guard let answer = try request.answer(in: session) else { continue }
                text = [text, answer.text].filter { !$0.isEmpty }.joined(separator: " ")
                data = answer.data ?? data
            }
            isAccepted = true
        } catch {
            text = error.description
        }
    }
}

extension ControlRequest {
    /// Carries out the request; returns a sentence, or JSON and an empty sentence.
    fileprivate func answer(in session: any Session) throws(ControlError) -> (text: String, data: String?)? {
        guard let response = try run(in: session) else { return ("The answer follows as a record.", nil) }
        if let outcome = response as? ControlOutcome { return (outcome.text, nil) }
        let data = try? JSONEncoder().encode(response)
        guard let data, data.count <= Self.longestData else { return ("The answer is too long.", nil) }
        return ("", String(decoding: data, as: UTF8.self))
    }

    /// The limit in bytes; an answer is part of the record about the order.
    private static var longestData: Int { 16 << 10 }
}

/// Translates a `cmd` message (booklet: tech/json) into requests of docs/control.md.
enum OwnTracksOrder {
    /// Nil for an unknown action, and if a member is missing or has the wrong type.
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

    /// Reads a list of waypoints, or an object of type `waypoints` with the list.
    private static func waypoints(_ value: JSONValue?) -> [[String: JSONValue]]? {
        let list = value?.members?["waypoints"] ?? value
        guard case .list(let waypoints)? = list else { return nil }
        let keys = [
            "desc": "name", "lat": "latitude", "lon": "longitude", "rad": "radius", "uuid": "uuid", "major": "major",
            "minor": "minor", "tst": "tst", "rid": "rid",
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

    /// Reads the keys of OwnTracks' apps; options whose keys are left out do not change.
    private static func configuration(_ value: JSONValue?) -> [[String: JSONValue]]? {
        guard var members = value?.members else { return nil }
        members["_type"] = nil
        var fields = request("options")
        fields["merge"] = .flag(true)
        fields["options"] = .object(["ownTracks": .object(members)])
        return [fields]
    }
}
