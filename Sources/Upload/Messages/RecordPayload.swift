internal import Quantities
package import Tracking

/// The fields that only one kind of record has, as a JSON object with the names and units of docs/geojson.schema.json.
package struct RecordPayload: Encodable, Sendable {
    private let object: any Encodable & Sendable

    /// Reads the fields of a record's content; nil if it has no fields of its own.
    package init?(_ content: Record.Content) {
        switch content {
        case .location, .motionchange, .ping: return nil
        case .visit(let visit): object = VisitObject(visit)
        case .transition(let transition): object = TransitionObject(transition)
        case .waypoint(let waypoint): object = WaypointObject(waypoint)
        case .trip(let report):
            // A report without a number, an identifier, metadata and figures has no fields.
            guard report != TripReport() else { return nil }
            object = TripObject(report)
        case .request(let answer): object = RequestObject(answer)
        case .providerchange(let change): object = ProviderObject(change)
        case .power(let change, let start): object = PowerObject(change, start)
        case .health(let report): object = HealthObject(report)
        case .optionschange(let change): object = OptionsObject(change)
        case .driving(let event): object = DrivingObject(event)
        case .order(let report): object = OrderObject(report)
        }
    }

    /// Writes the fields as an object.
    package func encode(to encoder: any Encoder) throws { try object.encode(to: encoder) }
}

private struct VisitObject: Encodable, Sendable {
    let arrived: String
    let departed: String?

    init(_ visit: Visit) {
        arrived = visit.arrived.description
        departed = visit.departed?.description
    }
}

private struct TransitionObject: Encodable, Sendable {
    let direction: String
    let trigger: String
    let region: RegionName
    let text: String?
    let defined: String
    let inside_s: Double?
    let rssi_dbm: Double?
    let proximity: String?

    init(_ transition: Transition) {
        direction = transition.direction.rawValue
        trigger = transition.trigger.rawValue
        // In messages, the identifier of a region that is not shared replaces its name.
        let id = transition.region.id
        region = transition.text == nil ? RegionName(id: id, name: id) : transition.region
        text = transition.text
        defined = transition.defined.description
        inside_s = transition.inside?.roundedSeconds
        rssi_dbm = transition.signal?.rssi.rounded(decimals: 1)
        proximity = transition.signal?.proximity.rawValue
    }
}

private struct WaypointObject: Encodable, Sendable {
    let text: String
    let place: PlaceObject?
    let radius_m: Double?
    let beacon: BeaconIdentity?
    let defined: String
    let id: String?

    init(_ waypoint: Waypoint) {
        text = waypoint.text
        place = waypoint.coordinate.map(PlaceObject.init)
        radius_m = waypoint.radius?.value.rounded(decimals: 2)
        beacon = waypoint.beacon
        defined = waypoint.defined.description
        id = waypoint.id
    }
}

private struct PlaceObject: Encodable, Sendable {
    let lat: Double
    let lon: Double

    init(_ place: Coordinate) {
        lat = place.latitude.rounded(decimals: 7)
        lon = place.longitude.rounded(decimals: 7)
    }
}

private struct TripObject: Encodable, Sendable {
    let externalId: String?
    let metadata: [String: String]?
    let summary: SummaryObject?

    init(_ report: TripReport) {
        externalId = report.externalID
        let pairs = report.metadata.map { ($0.key, $0.value) }
        metadata = pairs.isEmpty ? nil : Dictionary(pairs) { _, last in last }
        summary = report.summary.map(SummaryObject.init)
    }
}

private struct SummaryObject: Encodable, Sendable {
    let start: PlaceObject?
    let end: PlaceObject?
    let started: String
    let ended: String
    let distance_m: Double
    let moving_s: Double
    let idle_s: Double
    let withoutFix_s: Double
    let topSpeed_mps: Double?
    let records: Int
    let stops: Int

    init(_ summary: TripSummary) {
        start = summary.start.map(PlaceObject.init)
        end = summary.end.map(PlaceObject.init)
        started = summary.started.description
        ended = summary.ended.description
        distance_m = summary.distance.value.rounded(decimals: 2)
        moving_s = summary.moving.roundedSeconds
        idle_s = summary.idle.roundedSeconds
        withoutFix_s = summary.withoutFix.roundedSeconds
        topSpeed_mps = summary.topSpeed?.value.rounded(decimals: 2)
        records = summary.records
        stops = summary.stops
    }
}

private struct RequestObject: Encodable, Sendable {
    let action: ActionParameters?
    let failure: String?
    let took_s: Double

    init(_ answer: RequestAnswer) {
        action = answer.action
        failure = answer.failure
        took_s = answer.took.roundedSeconds
    }
}

private struct ProviderObject: Encodable, Sendable {
    let state: String
    let jamming: Int?

    init(_ change: ProviderChange) { (state, jamming) = (change.state.rawValue, change.jamming) }
}

private struct OptionsObject: Encodable, Sendable {
    let origin: String
    let keys: [String]
    let refusal: String?

    init(_ change: OptionsChange) {
        origin = change.origin
        keys = change.keys
        refusal = change.refusal
    }
}

private struct OrderObject: Encodable, Sendable {
    let id: String
    let target: String
    let request: String
    let ok: Bool
    let text: String
    let data: JSONValue?

    init(_ report: OrderReport) {
        (id, target, request, ok) = (report.id, report.target, report.request, report.isAccepted)
        text = report.text
        data = report.data.flatMap(JSONValue.init(json:))
    }
}

private struct PowerObject: Encodable, Sendable {
    let change: String
    let version: String?
    let board: String?
    let boots: Int?

    init(_ change: PowerChange, _ start: StartReport?) {
        self.change = change.rawValue
        (version, board, boots) = (start?.version, start?.board, start?.boots)
    }
}

private struct HealthObject: Encodable, Sendable {
    let change: String
    let reason: String?
    let correction: CorrectionObject?

    init(_ report: HealthReport) {
        change = report.change.rawValue
        reason = report.reason
        correction = report.correction.map(CorrectionObject.init)
    }
}

private struct CorrectionObject: Encodable, Sendable {
    let first: Int64
    let last: Int64
    let records: Int
    let bootFrom: String
    let bootTo: String
    let shift_s: Double

    init(_ times: SentTimes) {
        (first, last, records) = (times.first, times.last, times.count)
        (bootFrom, bootTo) = (times.from.description, times.to.description)
        shift_s = times.shift.roundedSeconds
    }
}

private struct DrivingObject: Encodable, Sendable {
    let event: String
    let peak_mps2: Double?
    let topSpeed_mps: Double?
    let limit_mps: Double?
    let lasted_s: Double

    init(_ driving: DrivingEvent) {
        event = driving.kind.rawValue
        peak_mps2 = driving.peak?.value.rounded(decimals: 2)
        topSpeed_mps = driving.topSpeed?.value.rounded(decimals: 2)
        limit_mps = driving.limit?.value.rounded(decimals: 2)
        lasted_s = driving.lasted.roundedSeconds
    }
}

extension Duration {
    /// Seconds, rounded to the millisecond.
    fileprivate var roundedSeconds: Double { inSeconds.rounded(decimals: 3) }
}
