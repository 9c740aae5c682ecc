import Calendar
import Compatibility
@testable import Configuration
@testable import Control
import Foundation
import Quantities
import Store
import Testing
@testable import TrackerDaemon
import Tracking
import TrackingOptions
@testable import Upload

@Suite("The configuration")
struct ConfigurationTests {
    @Test("The shortest configuration has three lines.")
    func shortest() throws {
        let text = "device: van1\ntargets:\n  - url: https://track.example.net/pub\n"
        let configuration = try Configuration.parse(text, file: "config.yaml")
        #expect(configuration.device == "van1")
        #expect(configuration.targets.map(\.name) == ["target1"])
        #expect(configuration.options == Profile.vehicle.options)
        #expect(configuration.storePath == "/var/lib/trackerd/trackerd.sqlite")
    }

    @Test("Options override the profile, and times can have units.")
    func options() throws {
        let text = """
            device: van1
            store: {path: /tmp/t.sqlite, commitInterval: 0}
            tracking:
              profile: motion
              stopTimeout: 2m
              distanceFilter: 25.5
              disableElasticity: true
            """
        let configuration = try Configuration.parse(text, file: "config.yaml")
        var expected = Profile.motion.options
        expected.stopTimeout = .seconds(120)
        expected.distanceFilter = Metres(25.5)
        expected.disableElasticity = true
        #expect(configuration.options == expected)
        #expect(configuration.grouping.interval == .zero)
    }

    @Test("A file with a byte order mark and carriage returns is read.")
    func foreignEditor() throws {
        let text = "\u{feff}device: van1\r\ntracking:\r\n  stopTimeout: 90s\r\n"
        #expect(try Configuration.parse(text, file: "config.yaml").options.stopTimeout == .seconds(90))
    }

    @Test("A configuration in JSON is read.")
    func json() throws {
        let text = #"{"device": "van1", "tracking": {"stopTimeout": 90}}"#
        #expect(try Configuration.parse(text, file: "config.json").options.stopTimeout == .seconds(90))
    }

    @Test(
        "An error names the line, what is wrong, and how to correct it.",
        arguments: [
            (
                "device: van1\ntracking:\n  distanceFliter: 10\n",
                "config.yaml:3: `tracking.distanceFliter` is not an option. Did you mean `distanceFilter`?"
            ),
            (
                "device: van1\ntracking:\n  stopTimeout: soon\n",
                "config.yaml:3: `tracking.stopTimeout` must be a duration from 1s to 1d, in seconds or with a unit, such as `90s`, `5m` or `2h`; `soon` is not."
            ),
            (
                "device: van1\ntracking:\n  stationaryRadius: 24\n",
                "config.yaml:3: `tracking.stationaryRadius` must be a number of metres from 25 to 100000; `24` is not."
            ),
            (
                "device: van1\ntracking:\n  profile: vehicel\n",
                "config.yaml:3: `tracking.profile` must be one of vehicle, continuous, responsive, efficient, continuous-ios, responsive-ios, efficient-ios, motion, trckr, interval, quiet, manual, significant, move, significant-android, move-android; `vehicel` is not."
            ),
            (
                "device: van1\ntracking:\n  disableElasticity: maybe\n",
                "config.yaml:3: `tracking.disableElasticity` must be `true` or `false`; `maybe` is not."
            ),
            ("targets: []\n", "config.yaml: `device` is missing. Set the tracker's name, such as `device: van1`."),
            (
                "device: ''\n",
                "config.yaml:1: `device` is empty. Write a value, in quotes if it begins with `#`, or leave the line out."
            ),
            (
                "device: van1\ntargets:\n  - url: https://x.example\n    username: u\n    password: #secret\n",
                "config.yaml:5: `targets[1].password` is empty. Write a value, in quotes if it begins with `#`, or leave the line out."
            ),
            (
                "device: van1\ntargets:\n  - url: https://x.example\n    caFile: /nonexistent.pem\n",
                "config.yaml:4: `targets[1].caFile` must be a file that trackerd can read; `/nonexistent.pem` is not."
            ),
            ("device: [a]\n", "config.yaml:1: `device` must be a text; the given value is not."),
            (
                "device: van1\ntargets: []\ndevice: van2\n",
                "config.yaml:3: `device` occurs more than once. Keep only one of these lines."
            ),
            ("- a\n- b\n", "config.yaml:1: the file contains no `key: value` lines. Write one key per line."),
            ("", "config.yaml: the file is empty. Write one key per line."),
            (
                "device: van1\ntargets:\n  - name: home\n",
                "config.yaml:3: `targets[1].url` is missing. Write the server's address, such as `url: https://…`."
            ),
            (
                "device: van1\ntargets: home\n",
                "config.yaml:2: `targets` must be a list in which each entry begins with `- `; `home` is not."
            ),
        ])
    func problems(text: String, message: String) {
        let error = #expect(throws: ConfigurationError.self) { try Configuration.parse(text, file: "config.yaml") }
        #expect(error?.description == message)
    }

    @Test("All errors of a configuration are reported at once.")
    func several() {
        let text = "device: van1\ntracking:\n  stopTimeout: x\n  foo: 1\nstore:\n  commitRecords: 0\n"
        let error = #expect(throws: ConfigurationError.self) { try Configuration.parse(text, file: "config.yaml") }
        #expect(error?.problems.map(\.line) == [3, 4, 6])
    }

    @Test("A file that is not YAML is an error with its line.")
    func notYAML() {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.parse("device: van1\n  bad: [1\n", file: "config.yaml")
        }
        #expect(error?.problems.first?.line != nil)
        #expect(error?.description.contains("this is not YAML") == true)
    }

    @Test("A target on another machine without TLS is an error.")
    func insecure() {
        let text = "device: van1\ntargets:\n  - url: http://track.example.net/pub\n"
        let error = #expect(throws: ConfigurationError.self) { try Configuration.parse(text, file: "config.yaml") }
        #expect(error?.description.hasPrefix("config.yaml:3: ") == true)
        #expect(error?.description.contains("allowInsecure") == true)
    }

    @Test("A missing file is an error that shows the shortest valid configuration.")
    func missing() {
        let error = #expect(throws: ConfigurationError.self) { try Configuration.read("/nonexistent/config.yaml") }
        #expect(error?.description.contains("Three lines are enough") == true)
    }

    @Test(
        "Each option of the table is read under its key, and a value out of range is an error.",
        arguments: TrackingOption.all
    )
    func table(option: TrackingOption) {
        let error = #expect(throws: ConfigurationError.self) {
            try Configuration.parse("device: van1\ntracking:\n  \(option.key): [-1]\n", file: "c")
        }
        #expect(error?.description.hasPrefix("c:3: `tracking.\(option.key)` must be") == true)
    }
}

@Suite("Spans of time in everyday notations")
struct DurationTextTests {
    @Test(
        "A span of time is read with or without a unit.",
        arguments: [("90", 90.0), ("90s", 90), ("1.5m", 90), ("2h", 7200), ("1d", 86_400), ("0", 0)])
    func parse(text: String, seconds: Double) {
        #expect(DurationText.parse(text) == Duration(inSeconds: seconds))
    }

    @Test(
        "A span of time in another form, or out of range, is refused.",
        arguments: ["", "s", "soon", "-1", "5 minutes", "nan", "inf", "1e12"])
    func refuse(text: String) {
        #expect(DurationText.parse(text) == nil)
    }
}
