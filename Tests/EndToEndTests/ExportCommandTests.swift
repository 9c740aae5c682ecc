import Foundation
import Peers
import Testing

@Suite("The `export` command")
struct ExportCommandTests {
    private let samples: TripSamples

    init() throws { samples = try TripSamples() }

    private func run(_ arguments: String...) throws -> (text: String, errors: String, status: Int32) {
        try Daemon.output(["export"] + arguments + ["--config", samples.config])
    }

    private func times(_ gpx: String) -> [String] {
        gpx.split(separator: "<time>").dropFirst().map { String($0.prefix { $0 != "<" }) }
    }

    @Test("An export in each format contains the trips, with times in UTC.")
    func formats() throws {
        let gpx = try run("--format", "gpx")
        #expect(gpx.errors.isEmpty && gpx.status == 0)
        #expect(gpx.text.split(separator: "<trk>").count == 3)
        #expect(times(gpx.text).count == 17)
        #expect(times(gpx.text).first == "2025-10-25T21:58:20.000Z")
        let kml = try run("--format", "kml")
        #expect(kml.text.split(separator: "<Placemark>").count == 3 && kml.text.hasSuffix("</kml>\n"))
        let csv = try run("--format", "csv")
        #expect(csv.text.split(separator: "\n").count == 21)
        let geojson = try run("--format", "geojson").text
        let object = try JSONSerialization.jsonObject(with: Data(geojson.utf8)) as? [String: Any]
        let features = try #require(object?["features"] as? [[String: Any]])
        #expect(features.count == 20)
        #expect((features.first?["properties"] as? [String: Any])?["device"] as? String == "van1")
    }

    @Test("An export of days uses the days of the configured time zone, and includes the first and the last day.")
    func days() throws {
        // The first trip begins 100 seconds before midnight in Berlin.
        #expect(try times(run("--format", "gpx", "--to", "2025-10-25").text).count == 10)
        #expect(try times(run("--format", "gpx", "--from", "2025-10-26").text).count == 7)
        #expect(
            try times(run("--format", "gpx", "--from", "2025-10-25T21:58:30Z", "--to", "2025-10-25T23:58:50").text)
                == ["2025-10-25T21:58:30.000Z", "2025-10-25T21:58:40.000Z", "2025-10-25T21:58:50.000Z"])
    }

    @Test("One trip is exported by its number or its ID, into a file that only its owner can read.")
    func trip() throws {
        let file = samples.scratch.path + "/trip.gpx"
        try Data("old".utf8).write(to: URL(fileURLWithPath: file))
        let (text, errors, status) = try run("--format", "gpx", "--trip", "order 7", "--output", file)
        #expect(text.isEmpty && errors.isEmpty && status == 0)
        let written = try String(contentsOfFile: file, encoding: .utf8)
        #expect(times(written).count == 15)
        #expect(try times(run("--format", "gpx", "--trip", "2").text).count == 2)
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
    }

    @Test("An export without contents writes no file and reports the span that the database covers.")
    func empty() throws {
        let file = samples.scratch.path + "/none.gpx"
        let (text, errors, status) = try run("--format", "gpx", "--from", "2026-01-01", "-o", file)
        #expect(text.isEmpty && status == 1)
        #expect(
            errors.contains(
                "the database has no records of that period. The database covers 2025-10-25T21:58:20.000Z to "))
        #expect(
            !FileManager.default.fileExists(atPath: file) && !FileManager.default.fileExists(atPath: file + ".part"))
    }

    @Test(
        "A wrong argument of `export` is an error with a remedy.",
        arguments: [
            (["--format", "shp"], 64, "shp"), ([], 64, "--format"),
            (["--format", "gpx", "--from", "tomorrow"], 64, "`tomorrow` is not a time. Write a day"),
            (["--format", "gpx", "--from", "2025-10-26", "--to", "2025-10-25"], 64, "--from is later than --to."),
            (["--format", "gpx", "--trip", "9"], 1, "The database has no trip `9`."),
            (["--format", "gpx", "--database", "/none.sqlite"], 1, "/none.sqlite: cannot be opened"),
            (["--format", "gpx", "-o", "/none/x.gpx"], 1, "/none/x.gpx.part: trackerd cannot write the output"),
        ])
    func mistakes(arguments: [String], status: Int32, message: String) throws {
        let result = try Daemon.output(["export"] + arguments + ["--config", samples.config])
        #expect(result.status == status)
        #expect(result.errors.contains(message))
    }

    @Test("A running daemon's database is exported, and the drive can be replayed from the GPX file.")
    func running() throws {
        let vehicle = try Vehicle()
        let daemon = try vehicle.start(speed: 60)
        #expect(eventually { daemon.logged.contains("Arrived: ") })
        let file = vehicle.scratch.path + "/drive.gpx"
        let result = try Daemon.output(["export", "--format", "gpx", "-o", file, "--config", vehicle.config])
        #expect(result.errors.isEmpty && result.status == 0)
        #expect(daemon.end() == 0)
        let replay = try Daemon.output(["replay", file])
        #expect(replay.status == 0)
        #expect(replay.text.contains("\"trips\":1"))
    }
}
