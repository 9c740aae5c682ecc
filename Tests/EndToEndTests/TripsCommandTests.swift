import Foundation
import Peers
import Testing

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
                trip  begin                    end                      distance    duration  stops  from         to            driver, tag, ID
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
                trip  begin              end        distance    duration  stops  from         to  driver, tag, ID
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
}
