import Quantities
import Tracking
import TrackingOptions

extension StoredRecord {
    /// One record of each kind, and of each form that a kind has, in a vehicle that stands in Amsterdam.
    static let ofEachKind: [(name: String, record: StoredRecord)] = contents.enumerated().map { index, entry in
        var record = Record(
            entry.content, time: Timestamp(milliseconds: 1_760_000_040_000), isTimeTrusted: true,
            position: Coordinate(latitude: 52.371204, longitude: 4.886011).map {
                Position(coordinate: $0, accuracy: Metres(7.1))
            },
            isMoving: false, odometer: Metres(1500), trip: 3)
        record.mode = .significant
        record.tag = index == 0 ? "night" : nil
        record.vehicle = index == 0 ? "van1" : nil
        record.driver = index == 0 ? "ann" : nil
        record.regions =
            index == 0 ? [RegionName(id: "a1b2c3", name: "Depot"), RegionName(id: "d4", name: "City")] : nil
        let stored = StoredRecord(
            sequence: 9, uuid: "0199c7a2-8c00-7a10-9d54-0d0f7d2f5a12",
            created: Timestamp(milliseconds: 1_760_000_040_100),
            record: record)
        return (entry.name, stored)
    }

    static func sample(_ name: String) -> StoredRecord? { ofEachKind.first { $0.name == name }?.record }

    private static let defined = Timestamp(milliseconds: 1_755_000_000_000)
    private static let depot = RegionName(id: "a1b2c3", name: "Depot")
    private static let beacon = BeaconIdentity(uuid: "6d1f2a90-4c3e-4b7a-9e55-0a1b2c3d4e5f", major: 1)

    private static let contents: [(name: String, content: Record.Content)] = [
        ("location", .location),
        ("motionchange", .motionchange),
        ("visit begins", .visit(Visit(arrived: Timestamp(milliseconds: 1_760_000_000_000)))),
        (
            "visit ends",
            .visit(
                Visit(
                    arrived: Timestamp(milliseconds: 1_760_000_000_000),
                    departed: Timestamp(milliseconds: 1_760_000_040_000)))
        ),
        (
            "area left",
            .transition(
                Transition(.leave, by: .area, of: depot, text: "Depot", defined: defined, inside: .milliseconds(90_500))
            )
        ),
        ("beacon entered", .transition(Transition(.enter, by: .beacon, of: depot, text: nil, defined: defined))),
        ("dwell", .transition(Transition(.dwell, by: .area, of: depot, text: "Depot", defined: defined))),
        (
            "waypoint",
            .waypoint(
                Waypoint(
                    text: "Depot", coordinate: Coordinate(latitude: 52.37, longitude: 4.880000000012),
                    radius: Metres(120),
                    defined: defined, id: "a1b2c3"))
        ),
        ("waypoint of a beacon", .waypoint(Waypoint(text: "", beacon: beacon, defined: defined))),
        ("waypoint of nothing", .waypoint(Waypoint(text: "x", defined: defined))),
        (
            "trip begins",
            .trip(TripReport(externalID: "T-7", metadata: [.init(key: "load", value: "bricks")]))
        ),
        ("trip ends", .trip(TripReport(summary: summary))),
        (
            "request answered",
            .request(
                RequestAnswer(
                    action: ActionParameters(actionType: "check", actionLog: "asked by ann", actionId: "5"),
                    took: .milliseconds(4200)))
        ),
        ("request failed", .request(RequestAnswer(action: nil, failure: "no fix within 120 s", took: .seconds(120)))),
        ("ping", .ping),
        ("receiver silent", .providerchange(ProviderChange(.silent))),
        ("started", .power(.started, start: StartReport(version: "0.1.0", board: "pi4", boots: 12))),
        ("ignition on", .power(.ignitionOn)),
        ("shutdown", .power(.shutdown)),
        ("accelerometer lost", .health(HealthReport(.accelerometerLost, reason: "no chip answers"))),
        (
            "sent times wrong",
            .health(
                HealthReport(
                    .sentTimesWrong,
                    correction: SentTimes(
                        first: 3, last: 8, count: 5, from: Timestamp(milliseconds: 1000),
                        to: Timestamp(milliseconds: 1_760_000_001_500))))
        ),
        ("options changed", .optionschange(OptionsChange(origin: "mode", keys: ["distanceFilter"]))),
        ("options refused", .optionschange(OptionsChange(origin: "home", refusal: "`distanceFilter` is -1"))),
        ("harsh braking", .driving(DrivingEvent(.braking, peak: Acceleration(4.316), lasted: .milliseconds(1250)))),
        ("tow", .driving(DrivingEvent(.tow, peak: nil, lasted: .seconds(60)))),
        (
            "order carried out",
            .order(
                OrderReport(
                    target: "home", id: "7f3a", request: "status", isAccepted: true, text: "", data: #"{"a":[1,"x"]}"#))
        ),
        (
            "waypoints listed",
            .order(
                OrderReport(
                    target: "home", id: "cmd-1", request: "waypoints", isAccepted: true, text: "",
                    data:
                        #"[{"desc":"Depot","lat":52.370000000012,"lon":4.88,"rad":120.4,"rid":"a1","shared":true,"tst":1755000000},"#
                        + #"{"desc":"Van","rid":"b2","shared":true,"tst":1755000001,"uuid":"6d1f2a90-4c3e-4b7a-9e55-0a1b2c3d4e5f"}]"#
                ))
        ),
        (
            "order refused",
            .order(
                OrderReport(target: "home", id: "7f3b", request: "mode", isAccepted: false, text: "It had expired."))
        ),
    ]

    private static var summary: TripSummary {
        var summary = TripSummary(
            start: Coordinate(latitude: 52.3, longitude: 4.8), started: Timestamp(milliseconds: 1_759_999_000_000))
        summary.end = Coordinate(latitude: 52.371204, longitude: 4.886011)
        summary.ended = Timestamp(milliseconds: 1_760_000_040_000)
        summary.distance = Metres(12_345.678)
        summary.moving = .seconds(900)
        summary.idle = .seconds(140)
        summary.withoutFix = .seconds(30)
        summary.topSpeed = MetresPerSecond(27.7)
        summary.records = 240
        summary.stops = 2
        return summary
    }
}
