import Foundation
import Peers
import Store
import Testing
import Tracking

@Suite("The `trips` command")
struct TripsCommandTests {
    private let samples: TripSamples

    init() throws { samples = try TripSamples() }

    private func run(_ arguments: String...) throws -> (text: String, errors: String, status: Int32) {
        try Daemon.output(["trips"] + arguments + ["--config", samples.config])
    }

    @Test("`trips` lists the trips with local times, also beyond the end of summer time.")
    func list() throws {
        let (text, errors, status) = try run()
        #expect(errors.isEmpty && status == 0)
        #expect(
            text == """
                trip  begin                    end                      distance    duration  stops  from         to            name, driver, tag, ID
                   1  2025-10-25 23:58 +02:00  2025-10-26 00:00 +02:00   1.40 km  2 min 20 s      0  Depot        52.514, 13.4  Ada, order 7
                   2  2025-10-26 02:58 +01:00  under way                 0.90 km  1 min 30 s         53.94, 13.4

                """)
    }

    @Test("`trips` lists the trips that began within a span of local days.")
    func span() throws {
        let (text, _, status) = try run("--from", "2025-10-26", "--to", "2025-10-26", "--utc")
        #expect(status == 0)
        #expect(
            text == """
                trip  begin              end        distance    duration  stops  from         to  name, driver, tag, ID
                   2  2025-10-26 01:58Z  under way   0.90 km  1 min 30 s         53.94, 13.4

                """)
        #expect(try run("--from", "2025-10-27").text == "No trips.\n")
    }

    @Test("`trips show` shows one trip, by its number or its ID.", arguments: ["1", "order 7"])
    func show(name: String) throws {
        let (text, errors, status) = try run("show", name)
        #expect(errors.isEmpty && status == 0)
        #expect(
            text == """
                Trip 1
                begin         2025-10-25 23:58:20 +02:00  Depot  52.5, 13.4
                end           2025-10-26 00:00:40 +02:00  52.514, 13.4
                distance      1.40 km
                duration      2 min 20 s
                moving        2 min 0 s
                standing      20 s
                without a fix 0 s
                top speed     47 km/h
                stops         0
                points        13
                driver        Ada
                ID            order 7
                load          pianos

                """)
    }

    @Test("`trips show --json` writes one object with times in UTC.")
    func json() throws {
        let (text, errors, status) = try run("show", "1", "--json")
        #expect(errors.isEmpty && status == 0)
        #expect(
            text == #"""
                {"began":"2025-10-25T21:58:20.000Z","distance_m":1400,"driver":"Ada","duration_s":140,\#
                "end":{"lat":52.514,"lon":13.4},"ended":"2025-10-25T22:00:40.000Z","external_id":"order 7","idle_s":20,\#
                "metadata":{"load":"pianos"},"moving_s":120,"records":13,"start":{"lat":52.5,"lon":13.4},\#
                "start_regions":[{"id":"d","name":"Depot"}],"stops":0,\#
                "top_speed_mps":13.06,"trip":1,"under_way":false,"without_fix_s":0}

                """#)
    }

    @Test("A trip that does not exist is an error with a remedy.")
    func unknown() throws {
        let (text, errors, status) = try run("show", "9")
        #expect(text.isEmpty && status == 1)
        #expect(errors.contains("The database has no trip `9`. `trackerd trips` lists the trips with their numbers."))
    }

    @Test("`trips` lists a trip while the daemon runs, and after it has ended.")
    func running() throws {
        let vehicle = try Vehicle()
        let daemon = try vehicle.start(speed: 60)
        #expect(eventually { daemon.logged.contains("Arrived: ") })
        let live = try Daemon.output(["trips", "--json", "--config", vehicle.config])
        #expect(live.status == 0 && live.text.contains("\"trip\":1"))
        #expect(daemon.end() == 0)
        let after = try Daemon.output(["trips", "--json", "--config", vehicle.config])
        #expect(after.status == 0 && after.text.contains("\"trip\":1"))
    }

    @Test("`trips name` names a trip, and `trips purge` deletes a trip, while no daemon is running.")
    func nameAndPurge() throws {
        #expect(try run("name", "1", "Moving house").text == "Trip 1 has the name `Moving house`.\n")
        #expect(try run().text.contains("Moving house, Ada, order 7"))
        #expect(try run("show", "Moving house").text.contains("\nname          Moving house\n"))
        #expect(try run("show", "1", "--json").text.contains("\"name\":\"Moving house\""))
        let purged = try run("purge", "1", "--yes")
        #expect(
            purged.text == "Trip 1 is deleted. Number of deleted records: 17.\n" && purged.errors.isEmpty
                && purged.status == 0)
        #expect(try run("--json").text.contains("\"trip\":2") && !run("--json").text.contains("\"trip\":1"))
    }

    @Test(
        "A trip is not deleted without confirmation, while it is under way, or if the database does not have it.",
        arguments: [
            (["purge", "1"], 64, "to delete it, add --yes."),
            (["purge", "2", "--yes"], 1, "trip 2 has not ended."),
            (["purge", "9", "--yes"], 1, "the database has no trip 9."),
            (["name", "9", "x"], 1, "the database has no trip 9."),
            (["name", "1", "a\u{202e}b"], 64, "changes the direction of writing"),
        ])
    func mistakes(arguments: [String], status: Int32, message: String) throws {
        let result = try Daemon.output(["trips"] + arguments + ["--config", samples.config])
        #expect(result.status == status && result.errors.contains(message))
        #expect(try run().text.split(separator: "\n").count == 3)
    }

    @Test("A running daemon deletes a trip at the owner's request; an undelivered trip needs `--undelivered`.")
    func purgeRunning() throws {
        let vehicle = try Vehicle(targets: ["{name: home, url: \"http://127.0.0.1:1/\", format: owntracks}"])
        let daemon = try vehicle.start(speed: 60, ["--allow-root"])
        #expect(
            eventually {
                vehicle.stored.contains {
                    if case .trip(let report) = $0.record.content { report.summary != nil } else { false }
                }
            })
        let refused = try Daemon.output(["trips", "purge", "1", "--yes", "--config", vehicle.config])
        #expect(refused.status == 1 && refused.errors.contains("add `undelivered` (--undelivered) to delete"))
        let purged = try Daemon.output(["trips", "purge", "1", "--yes", "--undelivered", "--config", vehicle.config])
        #expect(purged.status == 0 && purged.text.hasPrefix("Trip 1 is deleted. "))
        #expect(!vehicle.stored.contains { $0.record.kind == .location && $0.record.trip == 1 })
        #expect(daemon.end() == 0)
    }
}
