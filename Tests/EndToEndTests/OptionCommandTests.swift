import Foundation
import Peers
import Testing

@Suite("The commands about options")
struct OptionCommandTests {
    private let scratch: Scratch
    private var config: String { scratch.path + "/config.yaml" }

    init() throws {
        scratch = try Scratch()
        try scratch.write("device: van1\ntracking:\n  profile: responsive\n  stopTimeout: 90s\n", to: "config.yaml")
    }

    @Test("`profiles` lists the profiles.")
    func profiles() throws {
        let (text, _, status) = try Daemon.output(["profiles"])
        #expect(status == 0)
        #expect(text.split(separator: "\n").count == 16)
        #expect(text.hasPrefix("vehicle"))
    }

    @Test("`profiles NAME` prints a profile with the source of each value.")
    func profile() throws {
        let (text, _, status) = try Daemon.output(["profiles", "responsive"])
        #expect(status == 0)
        let lines = text.split(separator: "\n")
        #expect(
            lines.contains {
                $0.hasPrefix("desiredMovingUpdateInterval: 150s ")
                    && $0.hasSuffix("# profile responsive: Radar, Android table, RESPONSIVE")
            })
        #expect(lines.contains { $0.hasPrefix("fixTimeout: 2m ") && $0.hasSuffix("# default") })
    }

    @Test("A printed profile can be read back as a configuration.")
    func readBack() throws {
        let printed = try Daemon.output(["profiles", "trckr"]).text
        let indented = printed.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
        try scratch.write("device: van1\ntracking:\n\(indented)\n", to: "back.yaml")
        let shown = try values(["config", "show", "--config", scratch.path + "/back.yaml", "--json"])
        let profile = try values(["profiles", "trckr", "--json"])
        #expect(shown.mapValues(\.value) == profile.mapValues(\.value))
        #expect(!shown.isEmpty)
    }

    @Test("`config show` prints each option in force with its origin.")
    func show() throws {
        let shown = try values(["config", "show", "--config", config, "--json", "--option", "turnFilter=30"])
        #expect(shown["stopTimeout"] == .init(value: "90.0", origin: "file", source: config + ":4"))
        #expect(shown["desiredSyncInterval"]?.origin == "profile responsive")
        #expect(shown["fixTimeout"] == .init(value: "120.0", origin: "default", source: nil))
        #expect(shown["turnFilter"] == .init(value: "30.0", origin: "command line", source: "command line"))
    }

    @Test(
        "`config show --remote` shows the effect of options that a server sends.",
        arguments: [(["--on-trip"], "5.0"), ([], "500.0")])
    func remote(arguments: [String], metres: String) throws {
        try scratch.write(
            #"{"live": {"linux": {"onTrip": {"distanceFilter": 5}, "offTrip": {"distanceFilter": 500}}}}"#,
            to: "remote.json")
        let command = ["config", "show", "--config", config, "--remote", scratch.path + "/remote.json", "--json"]
        let shown = try values(command + arguments)
        #expect(shown["distanceFilter"]?.value == metres)
        #expect(shown["distanceFilter"]?.origin == "remote")
        #expect(try values(command + arguments + ["--environment", "test"])["distanceFilter"]?.value == "0.0")
    }

    /// A document of a server, arguments of the command, an option, and the option's value.
    static let documents: [(document: String, arguments: [String], key: String, value: String)] = [
        // By operating system and environment.
        (
            #"{"live": {"linux": {"any": {"stopTimeout": 5}}, "ios": {"any": {"stopTimeout": 6}}}}"#, [], "stopTimeout",
            "5.0"
        ),
        (
            #"{"live": {"ios": {"any": {"stopTimeout": 6}}, "any": {"any": {"stopTimeout": 7}}}}"#, [], "stopTimeout",
            "7.0"
        ),
        (
            #"{"live": {"linux": {"stopTimeout": 5}}, "test": {"linux": {"stopTimeout": 8}}}"#,
            ["--environment", "test"],
            "stopTimeout", "8.0"
        ),
        // Without levels, as a preset, and as a whole object of Radar.
        (#"{"stopTimeout": 9}"#, [], "stopTimeout", "9.0"),
        (#"{"preset": "CONTINUOUS"}"#, [], "desiredMovingUpdateInterval", "30.0"),
        (#"{"desiredMovingUpdateInterval": 42, "desiredAccuracy": "low"}"#, [], "desiredMovingUpdateInterval", "42.0"),
    ]

    @Test("A server's document overrides the file, in the levels and forms that Radar documents.", arguments: documents)
    func remoteDocument(document: String, arguments: [String], key: String, value: String) throws {
        try scratch.write(document, to: "remote.json")
        let command = ["config", "show", "--config", config, "--json"]
        let shown = try values(command + ["--remote", scratch.path + "/remote.json"] + arguments)
        #expect(shown[key]?.value == value && shown[key]?.origin == "remote")
        let local = try values(command)
        #expect(local[key]?.value != value && local[key]?.origin != "remote")
    }

    @Test("`config check` checks a file without starting the daemon.")
    func check() throws {
        let good = try Daemon.output(["config", "check", config])
        #expect(good.status == 0)
        #expect(good.text == "\(config): valid, with 0 targets.\n")
        try scratch.write("device: van1\ntracking: {stopTimout: 90}\n", to: "bad.yaml")
        let bad = try Daemon.output(["config", "check", scratch.path + "/bad.yaml"])
        #expect(bad.status != 0)
        #expect(bad.errors.contains("bad.yaml:2: `tracking.stopTimout` is not an option. Did you mean `stopTimeout`?"))
    }

    @Test(
        "`config check` names the keys of another product that have no effect, and accepts the file.",
        arguments: ["http: {url: \"https://track.example.net\"}", "stopOnTerminate: false"])
    func withoutEffect(entry: String) throws {
        try scratch.write("device: van1\ntracking: {transistor: {\(entry)}}\n", to: "foreign.yaml")
        let (text, _, status) = try Daemon.output(["config", "check", scratch.path + "/foreign.yaml"])
        #expect(status == 0)
        let key = entry.hasPrefix("http") ? "http.url" : "stopOnTerminate"
        let note =
            "foreign.yaml:2: `tracking.transistor.\(key)` is a key of Transistor that has no effect on tracking.\n"
        #expect(text.contains(note) && text.hasSuffix("foreign.yaml: valid, with 0 targets.\n"), "\(text)")
    }

    @Test("`replay --profile` compares profiles of several products on a drive.")
    func replay() throws {
        let drive = Daemon.root.path + "/Tests/Traces/sample_trip.csv.gz"
        let names = "responsive,interval,move"
        let (text, _, status) = try Daemon.output(["replay", drive, "--profile", names])
        #expect(status == 0)
        #expect(
            text.split(separator: "\n").map { $0.split(separator: " ").first } == [
                "profile", "responsive", "interval", "move",
            ])
    }

    /// An option in JSON, with its value as text.
    private struct Shown: Equatable {
        let value: String
        let origin: String
        let source: String?
    }

    private func values(_ arguments: [String]) throws -> [String: Shown] {
        let (text, errors, status) = try Daemon.output(arguments)
        #expect(status == 0, "\(errors)")
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: [String: Any]])
        return object.mapValues { entry in
            let value = (entry["value"] as? Double).map { "\($0)" } ?? "\(entry["value"] ?? "")"
            return Shown(value: value, origin: entry["origin"] as? String ?? "", source: entry["source"] as? String)
        }
    }
}
