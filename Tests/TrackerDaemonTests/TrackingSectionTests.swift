import Compatibility
import Foundation
import Quantities
import Testing
import Tracking
import TrackingOptions

@testable import Configuration

@Suite("The tracking section")
struct TrackingSectionTests {
    private func options(_ tracking: String) throws -> TrackingOptions {
        try Configuration.parse("{\"device\": \"van1\", \"tracking\": \(tracking)}", file: "c").options
    }

    @Test("The section reads the object of a Radar dashboard for iOS unchanged.")
    func radarIOS() throws {
        let options = try options(
            """
            {"radar": { "preset": null, "desiredStoppedUpdateInterval": 3600, "desiredMovingUpdateInterval": 150,
              "desiredSyncInterval": 10, "desiredAccuracy": "high", "stopDuration": 140, "stopDistance": 70,
              "sync": "all", "replay": "none", "showBlueBar": false, "useStoppedGeofence": true,
              "stoppedGeofenceRadius": 100, "useMovingGeofence": true, "movingGeofenceRadius": 200,
              "syncGeofences": true, "useVisits": true, "useSignificantLocationChanges": true, "beacons": false}}
            """)
        // Options that the object omits have Radar's defaults, and the profile of the file has no effect.
        var expected = TrackingOptions()
        expected.distanceFilter = .zero
        expected.disableElasticity = true
        expected.fastestMovingUpdateInterval = .zero
        expected.desiredStoppedUpdateInterval = .seconds(3600)
        expected.desiredMovingUpdateInterval = .seconds(150)
        expected.desiredSyncInterval = .seconds(10)
        expected.desiredAccuracy = .high
        expected.stopDuration = .seconds(140)
        expected.stopDistance = Metres(70)
        expected.sync = .all
        expected.replay = .none
        expected.indicator = .off
        expected.useStoppedGeofence = true
        expected.stoppedGeofenceRadius = Metres(100)
        expected.useMovingGeofence = true
        expected.movingGeofenceRadius = Metres(200)
        expected.syncGeofences = true
        expected.useVisits = true
        expected.useSignificantLocationChanges = true
        expected.beacons = false
        #expect(options == expected)
    }

    @Test("The section reads the object of a Radar dashboard for Android unchanged, with numbers in place of words.")
    func radarAndroid() throws {
        let options = try options(
            """
            {"radar": { "preset": null, "desiredStoppedUpdateInterval": 3600, "fastestStoppedUpdateInterval": 150,
              "desiredMovingUpdateInterval": 150, "fastestMovingUpdateInterval": 20, "desiredSyncInterval": 10,
              "desiredAccuracy": 2, "stopDuration": 140, "stopDistance": 70, "sync": 2, "replay": 0,
              "useStoppedGeofence": true, "stoppedGeofenceRadius": 100, "useMovingGeofence": true,
              "movingGeofenceRadius": 200, "syncGeofences": true, "syncGeofencesLimit": 10, "beacons": true,
              "foregroundServiceEnabled": false}}
            """)
        // Options that the object omits have Radar's defaults, and the profile of the file has no effect.
        var expected = TrackingOptions()
        expected.distanceFilter = .zero
        expected.disableElasticity = true
        expected.fastestMovingUpdateInterval = .zero
        expected.desiredStoppedUpdateInterval = .seconds(3600)
        expected.fastestStoppedUpdateInterval = .seconds(150)
        expected.desiredMovingUpdateInterval = .seconds(150)
        expected.fastestMovingUpdateInterval = .seconds(20)
        expected.desiredSyncInterval = .seconds(10)
        expected.desiredAccuracy = .medium
        expected.stopDuration = .seconds(140)
        expected.stopDistance = Metres(70)
        expected.sync = .all
        expected.replay = .none
        expected.useStoppedGeofence = true
        expected.stoppedGeofenceRadius = Metres(100)
        expected.useMovingGeofence = true
        expected.movingGeofenceRadius = Metres(200)
        expected.syncGeofences = true
        expected.syncGeofencesLimit = 10
        expected.beacons = true
        expected.indicator = .off
        #expect(options == expected)
    }

    @Test("A configuration of OwnTracks is read unchanged, with notes on keys without effect.")
    func ownTracks() throws {
        let text = """
            device: van1
            tracking:
              ownTracks: {"_type": "configuration", "monitoring": 2, "host": "x.example", "locatorInterval": 60,
                "locatorDisplacement": 500, "moveModeLocatorInterval": 10, "locatorPriority": 3, "ping": 15,
                "ignoreInaccurateLocations": 150, "waypoints": [], "cmd": true}
            """
        let configuration = try Configuration.parse(text, file: "c")
        var expected = try #require(Profile.named("move-android")).options
        expected.heartbeatInterval = .seconds(900)
        expected.accuracyLimit = Metres(150)
        #expect(configuration.options == expected)
        #expect(
            configuration.notes.map(\.description).first
                == "c:3: `tracking.ownTracks._type` is a key of OwnTracks that has no effect on tracking.")
        // The notes concern keys that do not affect tracking, and keys that Android ignores in its move mode.
        #expect(configuration.notes.count == 7)
    }

    @Test("Each value of the tracking section has the number of its line.")
    func origin() throws {
        let configuration = try Configuration.parse(
            "device: van1\ntracking:\n  profile: motion\n  stopTimeout: 90s\n", file: "config.yaml")
        let item = configuration.layers.resolve(isOnTrip: false).item("stopTimeout")
        #expect(item?.origin == .file && item?.source == "config.yaml:4")
    }

    @Test("Nested YAML aliases do not expand without limit.")
    func laughs() throws {
        var text = "device: van1\ntracking:\n  l0: &l0 {a: 1}\n"
        for level in 1...10 {
            let ten = (0..<10).map { "k\($0): *l\(level - 1)" }.joined(separator: ", ")
            text += "  l\(level): &l\(level) {\(ten)}\n"
        }
        let error = #expect(throws: ConfigurationError.self) { try Configuration.parse(text, file: "c") }
        #expect(error?.problems.count == 11)
    }
}

@Suite("Options in the environment and on the command line")
struct OptionVariablesTests {
    @Test(
        "The environment variable of an option is the option's key in capitals.",
        arguments: [
            ("stopTimeout", "TRACKERD_STOP_TIMEOUT"), ("sync", "TRACKERD_SYNC"),
            ("desiredMovingUpdateInterval", "TRACKERD_DESIRED_MOVING_UPDATE_INTERVAL"),
        ])
    func name(key: String, variable: String) {
        #expect(OptionVariables.name(of: key) == variable)
    }

    @Test("The environment overrides the file, and the command line overrides both.")
    func order() throws {
        let text = "device: van1\ntracking: {stopTimeout: 60, distanceFilter: 11, turnFilter: 12}\n"
        let configuration = try Configuration.parse(
            text, file: "c",
            environment: ["TRACKERD_STOP_TIMEOUT": "2m", "TRACKERD_DISTANCE_FILTER": "21", "HOME": "/root"],
            arguments: ["distanceFilter=31"])
        #expect(configuration.options.turnFilter == Degrees(12))
        #expect(configuration.options.stopTimeout == .seconds(120))
        #expect(configuration.options.distanceFilter == Metres(31))
        let items = configuration.layers.resolve(isOnTrip: false)
        #expect(items.item("stopTimeout")?.source == "TRACKERD_STOP_TIMEOUT")
        #expect(items.item("distanceFilter")?.origin == .commandLine)
    }

    @Test(
        "Wrong environment variables and arguments for options are errors.",
        arguments: [
            (
                ["TRACKERD_STOP_TIMOUT": "1"], [],
                "environment: `TRACKERD_STOP_TIMOUT` is not an option. Did you mean `TRACKERD_STOP_TIMEOUT`?"
            ),
            (
                ["TRACKERD_SYNC": "some"], [],
                "environment: TRACKERD_SYNC: `sync` must be one of all, stopsAndExits, none; `some` is not."
            ),
            (
                [:], ["sync"],
                "command line: `sync` is not of the form KEY=VALUE. Write a key and a value, such as `stopTimeout=90s`."
            ),
            ([:], ["synk=all"], "command line: `synk` is not an option. Did you mean `sync`?"),
        ] as [([String: String], [String], String)])
    func wrong(environment: [String: String], arguments: [String], message: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.parse("device: van1\n", file: "c", environment: environment, arguments: arguments)
        }
        #expect(error?.description == message)
    }

    @Test("Environment variables that are not options are ignored.")
    func others() throws {
        let environment = ["TRACKERD_LAB_HARDWARE_TESTS": "1"]
        #expect(try Configuration.parse("device: v\n", file: "c", environment: environment).layers.layers.count == 1)
    }
}

@Suite("Options of the server")
struct RemoteOptionsFileTests {
    @Test("Options of the server are read in their documented form.")
    func shape() throws {
        let text =
            #"{"live": {"linux": {"onTrip": {"radar": {"desiredAccuracy": 3}}, "offTrip": {"radar": {"sync": 1}}}}, "test": {}}"#
        let layers = try OptionLayers(RemoteOptionsFile.parse(text, file: "remote").layers(.live))
        #expect(layers.resolve(isOnTrip: true).item("desiredAccuracy")?.origin == .remote)
        #expect(layers.resolve(isOnTrip: false).options.sync == .stopsAndExits)
    }

    @Test("An empty document withdraws the options of the server.", arguments: ["", "{}", "null"])
    func empty(text: String) throws {
        #expect(try RemoteOptionsFile.parse(text, file: "remote").layers(.live).isEmpty)
    }

    @Test(
        "A document of the server's options with errors is rejected with these errors.",
        arguments: [
            (#"{"sync": "some"}"#, "remote:1: `remote.sync` must be one of all, stopsAndExits, none; `some` is not."),
            ("[1]", "remote: `remote` must be an object; the given value is not."),
        ])
    func refused(text: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { try RemoteOptionsFile.parse(text, file: "remote") }
        #expect(error?.description == message)
    }

    @Test(
        "A document of the server's options that is not YAML, or too large, is rejected.",
        arguments: ["{", String(repeating: " ", count: 300_000)])
    func garbage(text: String) {
        #expect(throws: ConfigurationError.self) { try RemoteOptionsFile.parse(text, file: "remote") }
    }
}
