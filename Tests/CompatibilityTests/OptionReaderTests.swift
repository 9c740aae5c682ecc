import Quantities
import Testing
import TrackingOptions

@testable import Compatibility

/// Returns an options object, one line per key.
func tree(_ pairs: KeyValuePairs<String, OptionTree>) -> [OptionTree.Entry] {
    pairs.enumerated().map { OptionTree.Entry($1.key, line: $0 + 1, $1.value) }
}

extension OptionTree: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self = .text(text) }
}

func read(_ pairs: KeyValuePairs<String, OptionTree>) -> OptionReading {
    OptionReader.read(tree(pairs), path: "tracking") { "line \($0 ?? 0)" }
}

/// The options in force if the file contains nothing else.
func options(_ reading: OptionReading) -> TrackingOptions {
    let profile = OptionLayer.profile(reading.profile ?? .vehicle)
    return OptionLayers([profile, OptionLayer(.file, name: "", reading.assignments)]).resolve(isOnTrip: false).options
}

extension OptionReading {
    subscript(key: String) -> OptionValue? { assignments.first { $0.key == key }?.value }
}

@Suite("Options of other products")
struct OptionReaderTests {
    /// A section, a key and a value as the product writes them, the option, and the option's value.
    static let names: [(section: String, key: String, text: String, option: String, value: OptionValue)] = [
        ("ownTracks", "ping", "15", "heartbeatInterval", .seconds(900)),
        ("ownTracks", "monitoring", "-1", "monitoring", .choice("quiet")),
        ("ownTracks", "monitoring", "0", "monitoring", .choice("manual")),
        ("ownTracks", "monitoring", "1", "monitoring", .choice("significant")),
        ("ownTracks", "monitoring", "2", "monitoring", .choice("move")),
        ("ownTracks", "ignoreInaccurateLocations", "150", "accuracyLimit", .metres(150)),
        ("ownTracks", "ignoreInaccurateLocations", "0", "accuracyLimit", .metres(100_000)),
        ("radar", "desiredAccuracy", "3", "desiredAccuracy", .choice("high")),
        ("radar", "desiredAccuracy", "2", "desiredAccuracy", .choice("medium")),
        ("radar", "desiredAccuracy", "1", "desiredAccuracy", .choice("low")),
        ("radar", "desiredAccuracy", "0", "desiredAccuracy", .choice("none")),
        ("radar", "sync", "2", "sync", .choice("all")),
        ("radar", "sync", "1", "sync", .choice("stopsAndExits")),
        ("radar", "sync", "0", "sync", .choice("none")),
        ("radar", "syncLocations", ".stopsAndExits", "sync", .choice("stopsAndExits")),
        ("radar", "replay", "2", "replay", .choice("all")),
        ("radar", "replay", "1", "replay", .choice("stops")),
        ("radar", "replay", "0", "replay", .choice("none")),
        ("radar", "replay", ".replayStops", "replay", .choice("stops")),
        ("radar", "replay", ".replayNone", "replay", .choice("none")),
        ("radar", "replay", "STOPS", "replay", .choice("stops")),
        ("trckr", "DesiredAccuracy", "200", "accuracyLimit", .metres(200)),
        ("trckr", "StationaryDistance", "150", "stationaryDistance", .metres(150)),
        ("trckr", "StationaryInterval", "120", "stationaryInterval", .seconds(120)),
        ("trckr", "StationarySpeed", "0.85", "stationarySpeed", .metresPerSecond(0.85)),
        ("trckr", "shouldTrackOutsideSchedule", "true", "trackOutsideSchedule", .flag(true)),
        ("transistor", "maxDaysToPersist", "-1", "maxDaysToPersist", .count(0)),
        ("radar", "showBlueBar", "true", "indicator", .choice("always")),
        ("radar", "foregroundServiceEnabled", "false", "indicator", .choice("off")),
        ("transistor", "stopTimeout", "5", "stopTimeout", .seconds(300)),
        ("radar", "startTrackingAfter", "nil", "startTrackingAfter", .nothing),
        ("radar", "stopTrackingAfter", "nil", "stopTrackingAfter", .nothing),
        ("trckr", "trackingEnabled", "* 10-20 * * 1,2,3,4,5", "trackingSchedule", .text("* 10-20 * * 1,2,3,4,5")),
    ]

    @Test("A product's section reads options under the product's keys and in its spellings.", arguments: names)
    func name(section: String, key: String, text: String, option: String, value: OptionValue) {
        let reading = read([section: .mapping(tree([key: .text(text)]))])
        #expect(reading.problems.isEmpty && reading.notes.isEmpty)
        #expect(reading.assignments == [OptionAssignment(option, value, source: "line 1")])
    }

    @Test(
        "A key of a product outside the product's section is an error that names the section.",
        arguments: [
            (
                "preset", "responsive",
                "is a key of Radar. Write it in the section of that system: `radar: {preset: …}`."
            ),
            (
                "locatorInterval", "60",
                "is a key of OwnTracks. Write it in the section of that system: `ownTracks: {locatorInterval: …}`."
            ),
            (
                "timeInterval", "60",
                "is a key of GeoManager. Write it in the section of that system: `geoManager: {timeInterval: …}`."
            ),
            (
                "StationarySpeed", "1",
                "is a key of Trckr. Write it in the section of that system: `trckr: {StationarySpeed: …}`."
            ),
            (
                "url", "x",
                "is a key of Transistor, OwnTracks. Write it in the section of that system: `transistor: {url: …}` or `ownTracks: {url: …}`."
            ),
        ])
    func outside(key: String, text: String, message: String) {
        let reading = OptionReader.read([.init(key, line: 7, .text(text))], path: "tracking") { _ in "" }
        #expect(reading.problems.map(\.line) == [7])
        #expect(reading.problems.map(\.text) == ["`tracking.\(key)` \(message)"])
        #expect(reading.assignments.isEmpty && reading.profile == nil)
    }

    @Test(
        "Outside of the sections, an option takes only trackerd's own values.",
        arguments: [("desiredAccuracy", "3"), ("sync", "2")])
    func ownValues(key: String, text: String) {
        #expect(read([key: .text(text)]).problems.count == 1)
    }

    @Test("Transistor's section uses Transistor's units, minutes and milliseconds, and selects Transistor's profile.")
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

    @Test("Transistor's options may be in the groups of Transistor's documentation.")
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
        "A product's section selects the product's profile unless the file selects another.",
        arguments: [
            ("radar", ["beacons": "true"], "trckr", "trckr"), ("trckr", [:], nil, "trckr"),
            ("trckr", [:], "vehicle", "vehicle"), ("radar", ["preset": "responsive"], nil, "responsive-ios"),
            ("radar", [:], nil, "Radar's defaults, iOS"), ("transistor", [:], nil, "motion"),
            ("ownTracks", ["monitoring": "2"], nil, "move"), ("ownTracks", [:], nil, "significant"),
            ("ownTracks", ["monitoring": "2", "platform": "android"], nil, "move-android"),
            ("ownTracks", ["locatorPriority": "2"], nil, "significant-android"),
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
        "Radar's keys for a visible sign of tracking set the tracking light.",
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
        let reading = read(["radar": .mapping(tree(pairs))])
        #expect(reading.problems.isEmpty)
        #expect(reading["indicator"] == .choice(light))
    }

    @Test("Radar options without a key for the light leave the light unchanged.")
    func noIndicator() {
        #expect(
            read([
                "radar": .mapping(tree(["foregroundService": .empty, "preset": .empty, "beacons": "true"]))
            ]).assignments.map(\.key) == ["beacons"])
    }

    @Test("A geofence in Radar's options may be an object.", arguments: ["useStoppedGeofence", "stoppedGeofence"])
    func bubble(key: String) {
        let bubble = OptionTree.mapping(tree(["enabled": "true", "radius": "200"]))
        let reading = read(["radar": .mapping([.init(key, line: 1, bubble)])])
        #expect(reading.problems.isEmpty)
        #expect(reading["useStoppedGeofence"] == .flag(true))
        #expect(reading["stoppedGeofenceRadius"] == .metres(200))
    }

    @Test(
        "If one of Radar's two numbers is missing or 0, the place rule is off; a radius of 0 switches the circle off.",
        arguments: [
            ["stopDuration": "140", "stopDistance": "0"], ["stopDistance": "70"],
            ["stopDuration": "0", "stopDistance": "70"],
        ] as [KeyValuePairs<String, OptionTree>])
    func noPlaceRule(pairs: KeyValuePairs<String, OptionTree>) throws {
        let circles = tree(["useStoppedGeofence": "true", "useMovingGeofence": "true", "movingGeofenceRadius": "0"])
        let reading = read(["radar": .mapping(tree(pairs) + circles)])
        #expect(reading.problems.isEmpty)
        let options = options(reading)
        #expect(options.placeRuleDuration == .zero)
        #expect(options.startCircle == nil && options.movingCircle == nil)
    }

    @Test(
        "A wrong option is refused, and the error has the line, the mistake and the remedy.",
        arguments: [
            (
                ["radar": .mapping(tree(["sync": "all", "syncLocations": "none"]))],
                "2: `tracking.radar.syncLocations` sets the same option as `tracking.radar.sync` in line 1. Keep one of them."
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
                "1: `tracking.trckr.xyzzy` is not an option. Known keys: DesiredAccuracy, StationaryDistance, StationaryInterval, StationarySpeed, shouldTrackOutsideSchedule, tagForOffScheduleTracking, trackingEnabled, trackingSchedule."
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
                ["radar": .mapping(tree(["foregroundServiceEnabled": "perhaps"]))],
                "1: `tracking.radar.foregroundServiceEnabled` must be `true` or `false`; `perhaps` is not."
            ),
            (["sync": .list], "1: `tracking.sync` must be one of all, stopsAndExits, none; the given value is not."),
            (
                ["radar": .mapping([.init("stoppedGeofence", line: 1, .mapping(tree(["radius": "-1"])))])],
                "1: `tracking.radar.stoppedGeofence.radius` must be a number of metres from 0 to 100000; `-1` is not."
            ),
            (
                ["radar": .mapping(tree(["preset": "vehicle"]))],
                "1: `tracking.radar.preset` must be one of efficient, responsive, continuous; `vehicle` is not."
            ),
            (
                ["profile": "vehicel"],
                "1: `tracking.profile` must be one of \(Profile.all.map(\.name).joined(separator: ", ")); `vehicel` is not."
            ),
            (
                ["radar": .mapping([]), "trckr": .mapping([])],
                "2: `tracking.trckr` is a second section beside `tracking.radar`. Keep one of them."
            ),
            (
                ["ownTracks": .mapping(tree(["platform": "symbian"]))],
                "1: `tracking.ownTracks.platform` must be one of ios, android; `symbian` is not."
            ),
            (
                ["trckr": .mapping(tree(["platform": "ios", "trackingEnabled": "true"]))],
                "1: `tracking.trckr.platform` is not an option. Known keys: DesiredAccuracy, StationaryDistance, StationaryInterval, StationarySpeed, shouldTrackOutsideSchedule, tagForOffScheduleTracking, trackingEnabled, trackingSchedule."
            ),
            (
                ["trckr": .mapping(tree(["trackingEnabled": "* 10-20"]))],
                "1: `tracking.trckr.trackingEnabled` must be `true`, `false` or the fields of a schedule, such as `* 10-20 * * 1-5`; `* 10-20` is not."
            ),
        ] as [(KeyValuePairs<String, OptionTree>, String)])
    func problems(pairs: KeyValuePairs<String, OptionTree>, message: String) {
        #expect(read(pairs).problems.map { "\($0.line ?? 0): \($0.text)" } == [message])
    }

    @Test("Keys that have no effect on tracking are accepted with a note.")
    func withoutEffect() {
        let http = OptionTree.mapping(tree(["url": "https://x.example"]))
        let reading = read([
            "transistor": .mapping(tree(["stopOnTerminate": "false", "http": http, "distanceFilter": "50"]))
        ])
        #expect(reading.problems.isEmpty)
        #expect(reading.assignments.map(\.key) == ["distanceFilter"])
        #expect(
            reading.notes.map(\.text) == [
                "`tracking.transistor.stopOnTerminate` is a key of Transistor that has no effect on tracking.",
                "`tracking.transistor.http.url` is a key of Transistor that has no effect on tracking.",
            ])
    }

    @Test("Null removes the value of an option that may be without one, and is ignored for other options.")
    func null() {
        let reading = read(["startTrackingAfter": .empty, "stopTimeout": .empty])
        #expect(reading.assignments == [OptionAssignment("startTrackingAfter", .nothing, source: "line 1")])
    }
}
