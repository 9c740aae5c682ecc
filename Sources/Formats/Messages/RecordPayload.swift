package import JSON
internal import Quantities
package import Tracking

/// The fields that only one kind of record has, with the names and units of docs/geojson.schema.json.
package enum RecordPayload {
    package static func json(of content: Record.Content) -> JSONValue? {
        switch content {
        case .location, .motionchange, .ping: nil
        case .visit(let visit): json(of: visit)
        case .transition(let transition): json(of: transition)
        case .waypoint(let waypoint): json(of: waypoint)
        // An empty report has no fields.
        case .trip(let report): report == TripReport() ? nil : json(of: report)
        case .request(let answer): json(of: answer)
        case .providerchange(let change):
            .object(withoutNull: ["state": .text(change.state.rawValue), "jamming": .integer(orNull: change.jamming)])
        case .power(let change, let start):
            .object(withoutNull: [
                "change": .text(change.rawValue), "version": .text(orNull: start?.version),
                "board": .text(orNull: start?.board), "boots": .integer(orNull: start?.boots),
            ])
        case .health(let report): json(of: report)
        case .optionschange(let change):
            .object(withoutNull: [
                "origin": .text(change.origin), "keys": .list(change.keys.map(JSONValue.text)),
                "refusal": .text(orNull: change.refusal),
            ])
        case .driving(let event): json(of: event)
        case .order(let report): json(of: report)
        }
    }

    private static func json(of visit: Visit) -> JSONValue {
        .object(withoutNull: [
            "arrived": .text(visit.arrived.description), "departed": .text(orNull: visit.departed?.description),
        ])
    }

    private static func json(of transition: Transition) -> JSONValue {
        // In messages, the identifier of a region that is not shared replaces its name.
        let id = transition.region.id
        let region = transition.text == nil ? RegionName(id: id, name: id) : transition.region
        return .object(withoutNull: [
            "direction": .text(transition.direction.rawValue),
            "trigger": .text(transition.trigger.rawValue),
            "region": region.json,
            "text": .text(orNull: transition.text),
            "defined": .text(transition.defined.description),
            "inside_s": .seconds(transition.inside),
            "rssi_dbm": .number(transition.signal?.rssi, decimals: 1),
            "proximity": .text(orNull: transition.signal?.proximity.rawValue),
        ])
    }

    private static func json(of waypoint: Waypoint) -> JSONValue {
        let beacon = waypoint.beacon.map { beacon in
            JSONValue.object(withoutNull: [
                "uuid": .text(beacon.uuid), "major": .integer(orNull: beacon.major),
                "minor": .integer(orNull: beacon.minor),
            ])
        }
        return .object(withoutNull: [
            "text": .text(waypoint.text),
            "place": .place(waypoint.coordinate),
            "radius_m": .number(waypoint.radius?.value, decimals: 2),
            "beacon": beacon ?? .null,
            "defined": .text(waypoint.defined.description),
            "id": .text(orNull: waypoint.id),
        ])
    }

    private static func json(of report: TripReport) -> JSONValue {
        let pairs = report.metadata.map { ($0.key, JSONValue.text($0.value)) }
        return .object(withoutNull: [
            "externalId": .text(orNull: report.externalID),
            "metadata": pairs.isEmpty ? .null : .object(Dictionary(pairs) { _, last in last }),
            "summary": report.summary.map { json(of: $0) } ?? .null,
        ])
    }

    private static func json(of summary: TripSummary) -> JSONValue {
        .object(withoutNull: [
            "start": .place(summary.start),
            "end": .place(summary.end),
            "started": .text(summary.started.description),
            "ended": .text(summary.ended.description),
            "distance_m": .number(summary.distance.value, decimals: 2),
            "moving_s": .seconds(summary.moving),
            "idle_s": .seconds(summary.idle),
            "withoutFix_s": .seconds(summary.withoutFix),
            "topSpeed_mps": .number(summary.topSpeed?.value, decimals: 2),
            "records": .integer(Int64(summary.records)),
            "stops": .integer(Int64(summary.stops)),
        ])
    }

    private static func json(of answer: RequestAnswer) -> JSONValue {
        let action = answer.action.map { action in
            JSONValue.object(withoutNull: [
                "actionType": .text(orNull: action.actionType), "actionLog": .text(orNull: action.actionLog),
                "actionId": .text(orNull: action.actionId), "actionDuration": .text(orNull: action.actionDuration),
                "additionalLog": .text(orNull: action.additionalLog),
            ])
        }
        return .object(withoutNull: [
            "action": action ?? .null, "failure": .text(orNull: answer.failure), "took_s": .seconds(answer.took),
        ])
    }

    private static func json(of report: HealthReport) -> JSONValue {
        let correction = report.correction.map { times in
            JSONValue.object([
                "first": .integer(times.first), "last": .integer(times.last), "records": .integer(Int64(times.count)),
                "bootFrom": .text(times.from.description), "bootTo": .text(times.to.description),
                "shift_s": .seconds(times.shift),
            ])
        }
        return .object(withoutNull: [
            "change": .text(report.change.rawValue), "reason": .text(orNull: report.reason),
            "correction": correction ?? .null,
        ])
    }

    private static func json(of report: OrderReport) -> JSONValue {
        var members: [String: JSONValue] = [
            "id": .text(report.id), "target": .text(report.target), "request": .text(report.request),
            "ok": .flag(report.isAccepted), "text": .text(report.text),
        ]
        members["data"] = report.data.flatMap(JSONValue.init(json:))
        return .object(members)
    }

    private static func json(of driving: DrivingEvent) -> JSONValue {
        .object(withoutNull: [
            "event": .text(driving.kind.rawValue),
            "peak_mps2": .number(driving.peak?.value, decimals: 2),
            "topSpeed_mps": .number(driving.topSpeed?.value, decimals: 2),
            "limit_mps": .number(driving.limit?.value, decimals: 2),
            "lasted_s": .seconds(driving.lasted),
        ])
    }
}

extension RegionName {
    var json: JSONValue { .object(["id": .text(id), "name": .text(name)]) }
}

extension JSONValue {
    /// To the millisecond.
    fileprivate static func seconds(_ duration: Duration?) -> JSONValue { .number(duration?.inSeconds, decimals: 3) }

    fileprivate static func place(_ place: Coordinate?) -> JSONValue {
        guard let place else { return .null }
        return .object(["lat": .number(place.latitude, decimals: 7), "lon": .number(place.longitude, decimals: 7)])
    }
}
