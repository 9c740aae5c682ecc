import Quantities
import Testing
import TrackingOptions

@testable import Compatibility

/// Returns an options object, one line per key.
func tree(_ pairs: KeyValuePairs<String, OptionTree>) -> [OptionTree.Entry] {
    pairs.enumerated().map { OptionTree.Entry($1.key, line: $0 + 1, $1.value) }
}

extension OptionTree: ExpressibleByStringLiteral {
    /// Reads a text as the value.
    public init(stringLiteral text: String) { self = .text(text) }
}

/// Reads an object under `tracking`.
func read(_ pairs: KeyValuePairs<String, OptionTree>) -> OptionReading {
    OptionReader.read(tree(pairs), path: "tracking") { "line \($0 ?? 0)" }
}

extension OptionReading {
    /// Returns the value that was read for an option.
    subscript(key: String) -> OptionValue? { assignments.first { $0.key == key }?.value }
}

@Suite("Options of other systems")
struct OptionReaderTests {
    /// A key and a value in another system's form, our option, and its value.
    static let names: [(key: String, text: String, option: String, value: OptionValue)] = [
        ("locatorDisplacement", "500", "distanceFilter", .metres(500)),
        ("locatorInterval", "60", "desiredMovingUpdateInterval", .seconds(60)),
        ("moveModeLocatorInterval", "10", "desiredMovingUpdateInterval", .seconds(10)),
        ("ping", "15", "heartbeatInterval", .seconds(900)),
        ("monitoring", "-1", "monitoring", .choice("quiet")),
        ("monitoring", "0", "monitoring", .choice("manual")),
        ("monitoring", "1", "monitoring", .choice("significant")),
        ("monitoring", "2", "monitoring", .choice("move")),
        ("locatorPriority", "3", "desiredAccuracy", .choice("high")),
        ("locatorPriority", "2", "desiredAccuracy", .choice("medium")),
        ("locatorPriority", "1", "desiredAccuracy", .choice("low")),
        ("locatorPriority", "0", "desiredAccuracy", .choice("none")),
        ("ignoreInaccurateLocations", "150", "accuracyLimit", .metres(150)),
        ("ignoreInaccurateLocations", "0", "accuracyLimit", .metres(100_000)),
        ("desiredAccuracy", "3", "desiredAccuracy", .choice("high")),
        ("desiredAccuracy", "2", "desiredAccuracy", .choice("medium")),
        ("desiredAccuracy", "1", "desiredAccuracy", .choice("low")),
        ("desiredAccuracy", "0", "desiredAccuracy", .choice("none")),
        ("sync", "2", "sync", .choice("all")),
        ("sync", "1", "sync", .choice("stopsAndExits")),
        ("sync", "0", "sync", .choice("none")),
        ("syncLocations", ".stopsAndExits", "sync", .choice("stopsAndExits")),
        ("replay", "2", "replay", .choice("all")),
        ("replay", "1", "replay", .choice("stops")),
        ("replay", "0", "replay", .choice("none")),
        ("replay", ".replayStops", "replay", .choice("stops")),
        ("replay", ".replayNone", "replay", .choice("none")),
        ("replay", "STOPS", "replay", .choice("stops")),
        ("DesiredAccuracy", "200", "accuracyLimit", .metres(200)),
        ("StationaryDistance", "150", "stationaryDistance", .metres(150)),
        ("StationaryInterval", "120", "stationaryInterval", .seconds(120)),
        ("StationarySpeed", "0.85", "stationarySpeed", .metresPerSecond(0.85)),
        ("shouldTrackOutsideSchedule", "true", "trackOutsideSchedule", .flag(true)),
        ("timeInterval", "300", "desiredMovingUpdateInterval", .seconds(300)),
        ("distanceInterval", "400", "distanceFilter", .metres(400)),
        ("accuracy", ".hundredMeters", "desiredAccuracy", .choice("medium")),
        ("accuracy", "best", "desiredAccuracy", .choice("best")),
        ("shouldTrackLastKnownLocation", "false", "trackLastKnownLocation", .flag(false)),
        ("maxDaysToPersist", "-1", "maxDaysToPersist", .count(0)),
        ("showBlueBar", "true", "indicator", .choice("always")),
        ("foregroundServiceEnabled", "false", "indicator", .choice("off")),
        ("stopTimeout", "5", "stopTimeout", .seconds(5)),
    ]

    @Test("Options are read under other products' keys.", arguments: names)
    func name(key: String, text: String, option: String, value: OptionValue) {
        let reading = OptionReader.read([.init(key, line: 1, .text(text))], path: "tracking") { _ in "here" }
        #expect(reading.problems.isEmpty)
        #expect(reading.assignments == [OptionAssignment(option, value, source: "here")])
    }

    @Test("Transistor's section has its units, minutes and milliseconds, and selects its profile.")
    func transistor() {
        let reading = read([
            "transistor": .mapping(
                tree([
                    "stopTimeout": "5", "stopDetectionDelay": "1", "motionTriggerDelay": "30000",
                    "heartbeatInterval": "60", "desiredAccuracy": "-1", "autoSync": "true",
                ]))
        ])
        #expect(reading.problems.isEmpty)
        #expect(reading["stopTimeout"] == .seconds(300))
        #expect(reading["stopDetectionDelay"] == .seconds(60))
        #expect(reading["motionTriggerDelay"] == .seconds(30))
        #expect(reading["heartbeatInterval"] == .seconds(60))
        #expect(reading["desiredAccuracy"] == .choice("high"))
        #expect(reading.profile?.name == "motion")
        #expect(
            reading.notes.map(\.text) == [
                "`tracking.transistor.autoSync` is a key of Transistor that has no effect on tracking."
            ])
    }

    @Test("Transistor's options may be sorted into its groups.")
    func groups() {
        let parts = tree([
            "geolocation": .mapping(tree(["disableElasticity": "true"])),
            "activity": .mapping(tree(["stopDetectionDelay": "2"])),
        ])
        let reading = read(["transistor": .mapping(parts)])
        #expect(reading.problems.isEmpty)
        #expect(reading["disableElasticity"] == .flag(true))
        #expect(reading["stopDetectionDelay"] == .seconds(120))
    }

    @Test(
        "A product's section selects the product's profile unless one is named.",
        arguments: [
            ("radar", ["beacons": "true"], "trckr", "trckr"), ("trckr", [:], nil, "trckr"),
            ("trckr", [:], "vehicle", "vehicle"), ("radar", ["preset": "responsive"], nil, "responsive"),
            ("ownTracks", ["monitoring": "2"], nil, "move"), ("ownTracks", [:], nil, "significant"),
            ("geoManager", [:], nil, "interval"),
        ] as [(String, KeyValuePairs<String, OptionTree>, String?, String)])
    func profiles(section: String, pairs: KeyValuePairs<String, OptionTree>, named: String?, expected: String) {
        var entries = [OptionTree.Entry(section, line: 1, .mapping(tree(pairs)))]
        if let named { entries.append(.init("profile", line: 2, .text(named))) }
        let reading = OptionReader.read(entries, path: "tracking") { _ in "" }
        #expect(reading.problems.isEmpty)
        #expect(reading.profile?.name == expected)
    }

    @Test(
        "Radar's keys for a visible sign of tracking become one light.",
        arguments: [
            (["showBlueBar": "false", "foregroundServiceEnabled": "true"], "always"),
            (["showBlueBar": "false", "foregroundServiceEnabled": "false"], "off"),
            (["foregroundService": .mapping(tree(["updatesOnly": "true", "text": "Hello"]))], "updates"),
            (["foregroundService": .mapping(tree(["title": "Hello"]))], "always"),
            (
                [
                    "foregroundServiceEnabled": "false",
                    "foregroundService": .mapping(tree(["updatesOnly": "true"])),
                ], "off"
            ),
        ] as [(KeyValuePairs<String, OptionTree>, String)])
    func indicator(pairs: KeyValuePairs<String, OptionTree>, light: String) {
        let reading = read(pairs)
        #expect(reading.problems.isEmpty)
        #expect(reading["indicator"] == .choice(light))
    }

    @Test("Radar's keys leave the light unchanged if they do not mention it.")
    func noIndicator() {
        #expect(
            read(["foregroundService": .empty, "preset": .empty, "beacons": "true"]).assignments.map(\.key) == [
                "beacons"
            ])
    }

    @Test("A bubble in Radar options may be an object.", arguments: ["useStoppedGeofence", "stoppedGeofence"])
    func bubble(key: String) {
        let bubble = OptionTree.mapping(tree(["enabled": "true", "radius": "200"]))
        let reading = OptionReader.read([.init(key, line: 1, bubble)], path: "tracking") { _ in "" }
        #expect(reading.problems.isEmpty)
        #expect(reading["useStoppedGeofence"] == .flag(true))
        #expect(reading["stoppedGeofenceRadius"] == .metres(200))
    }

    @Test("A radius of 0 in Radar options changes nothing.")
    func zeroRadius() {
        let reading = read(["useStoppedGeofence": "false", "stoppedGeofenceRadius": "0"])
        #expect(reading.problems.isEmpty)
        let layers = OptionLayers([OptionLayer(.file, name: "", reading.assignments)])
        #expect(layers.resolve(isOnTrip: false).options.stoppedGeofenceRadius == Metres(100))
    }

    @Test(
        "Either of Radar's two numbers switches the place rule off.",
        arguments: [
            ["stopDuration": "140", "stopDistance": "0"], ["stopDistance": "0"],
            ["stopDuration": "0", "stopDistance": "0"],
        ] as [KeyValuePairs<String, OptionTree>])
    func noPlaceRule(pairs: KeyValuePairs<String, OptionTree>) {
        let reading = read(pairs)
        #expect(reading.problems.isEmpty)
        #expect(reading["stopDuration"] == .seconds(0))
    }

    @Test(
        "OwnTracks options use the interval of their mode.", arguments: [("2", 10), ("1", 60), ("0", 60)])
    func intervals(monitoring: String, seconds: Int) {
        let reading = read([
            "locatorInterval": "60", "moveModeLocatorInterval": "10", "monitoring": .text(monitoring),
            "pegLocatorFastestIntervalToInterval": "true",
        ])
        #expect(reading.problems.isEmpty)
        #expect(reading["desiredMovingUpdateInterval"] == .seconds(seconds))
        #expect(reading["fastestMovingUpdateInterval"] == .seconds(seconds))
    }

    @Test(
        "A wrong option is refused with its line, the mistake and the remedy.",
        arguments: [
            (
                ["locatorDisplacement": "100", "distanceFilter": "10"],
                "2: `tracking.distanceFilter` sets the same option as `tracking.locatorDisplacement` in line 1. Keep one of them."
            ),
            (
                ["transistor": .mapping(tree(["stopTimeout": "1441"]))],
                "1: `tracking.transistor.stopTimeout` must be a number of minutes from 0.017 to 1440; `1441` is not."
            ),
            (
                ["radar": .mapping(tree(["beacon": "true"]))],
                "1: `tracking.radar.beacon` is not an option. Did you mean `beacons`?"
            ),
            (
                ["trckr": .mapping(tree(["xyzzy": "1"]))],
                "1: `tracking.trckr.xyzzy` is not an option. Known here: DesiredAccuracy, StationaryDistance, StationaryInterval, StationarySpeed, shouldTrackOutsideSchedule, tagForOffScheduleTracking, trackingSchedule."
            ),
            (
                ["locatorDisplacment": "1"],
                "1: `tracking.locatorDisplacment` is not an option. Did you mean `locatorDisplacement`?"
            ),
            (
                ["xyzzyxyzzy": "1"],
                "1: `tracking.xyzzyxyzzy` is not an option. `trackerd profiles vehicle` lists all options."
            ),
            (
                ["foregroundServiceEnabled": "perhaps"],
                "1: `tracking.foregroundServiceEnabled` must be `true` or `false`; `perhaps` is not."
            ),
            (["sync": .list], "1: `tracking.sync` must be one of all, stopsAndExits, none; what is written is not."),
            (
                ["stoppedGeofence": .mapping(tree(["radius": "-1"]))],
                "1: `tracking.stoppedGeofence.radius` must be a number of metres from 1 to 100000; `-1` is not."
            ),
            (
                ["preset": "vehicle"],
                "1: `tracking.preset` must be one of efficient, responsive, continuous; `vehicle` is not."
            ),
            (
                ["profile": "vehicle", "preset": "responsive"],
                "2: `tracking.preset` sets a second profile. Keep one of them."
            ),
        ] as [(KeyValuePairs<String, OptionTree>, String)])
    func problems(pairs: KeyValuePairs<String, OptionTree>, message: String) {
        #expect(read(pairs).problems.map { "\($0.line ?? 0): \($0.text)" } == [message])
    }

    @Test("Keys that have no effect on tracking are accepted with a note.")
    func withoutEffect() {
        let reading = read(["_type": "configuration", "url": "https://x.example", "locatorDisplacement": "50"])
        #expect(reading.problems.isEmpty)
        #expect(reading.assignments.map(\.key) == ["distanceFilter"])
        #expect(
            reading.notes.map(\.text) == [
                "`tracking._type` is a key of another system that has no effect on tracking.",
                "`tracking.url` is a key of another system that has no effect on tracking.",
            ])
    }

    @Test("Null means no value if an option may have none, and is ignored otherwise.")
    func null() {
        let reading = read(["startTrackingAfter": .empty, "stopTimeout": .empty])
        #expect(reading.assignments == [OptionAssignment("startTrackingAfter", .nothing, source: "line 1")])
    }
}
