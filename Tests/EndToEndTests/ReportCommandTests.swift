import Foundation
import Peers
import Quantities
import Store
import Testing
import Tracking

@Suite("The `report` command")
struct ReportCommandTests {
    private let samples: TripSamples

    init() throws { samples = try TripSamples() }

    private func run(_ arguments: String...) throws -> (text: String, errors: String, status: Int32) {
        try Daemon.output(["report"] + arguments + ["--config", samples.config])
    }

    @Test("The report on a day shows the trip, the stops and the track of that day of the zone.")
    func day() throws {
        let (text, errors, status) = try run("--day", "2025-10-25")
        #expect(errors.isEmpty && status == 0)
        #expect(text.contains("<h1>Saturday, 25 October 2025</h1>") && text.contains("Times are in UTC+2"))
        #expect(text.contains("<td data-title=\"From\">Depot</td>"))
        #expect(text.contains("Ada") && text.contains("order 7") && text.contains("load: pianos"))
        #expect(text.contains("<title>Stop 1</title>") && text.contains("class=\"track\""))
        // The trip under way began on the next day, when summer time ended.
        #expect(!text.contains("<th scope=\"row\" data-title=\"Trip\">2</th>"))
        #expect(try run("--day", "2025-10-26").text.contains("Times are in UTC+2, later UTC+1"))
    }

    @Test("The report on a trip, chosen by its number or its ID, goes to a file that only its owner can read.")
    func trip() throws {
        let file = samples.scratch.path + "/trip.html"
        let (text, errors, status) = try run("--trip", "order 7", "--output", file)
        #expect(text.isEmpty && errors.isEmpty && status == 0)
        let page = try String(contentsOfFile: file, encoding: .utf8)
        #expect(page.contains("<h1>Trip 1</h1>") && page.contains("<dd>1.40 km</dd>") && page.contains("47 km/h"))
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
        #expect(try run("--trip", "1").text.hasPrefix("<!DOCTYPE html>\n"))
        #expect(try run("--trip", "2").text.contains("<small>under way</small>"))
        let day = try run("--day", "2025-10-26").text
        #expect(day.contains(#"data-title="Ended">under way</td>"#) && !day.contains("not recorded"))
    }

    @Test("The report on a month lists its trips and the distance of each day.")
    func month() throws {
        let (text, errors, status) = try run("--month", "2025-10")
        #expect(errors.isEmpty && status == 0)
        #expect(text.contains("<h1>October 2025</h1>") && text.contains("<h2>Places</h2>"))
        #expect(text.split(separator: "<th scope=\"row\" data-title=\"Trip\">").count == 3)
        #expect(text.contains("<b>25 <i>Sa</i></b>") && text.contains("<b>31 <i>Fr</i></b>"))
    }

    @Test(
        "A wrong argument of `report` is an error with a remedy.",
        arguments: [
            (["--day", "25.10.2025"], 64, "`25.10.2025` is not a day. Write a day such as 2026-01-31."),
            (["--month", "2025-13"], 64, "`2025-13` is not a month."),
            (["--day", "2025-10-25", "--trip", "1"], 64, "exclude each other"),
            (["--trip", "9"], 1, "The database has no trip `9`."),
            (
                ["--day", "2026-01-01"], 1,
                "The database has no record from 2026-01-01 00:00 +01:00 to 2026-01-01 23:59"
            ),
            (["--day", "2025-10-25", "-o", "/none/x.html"], 1, "/none/x.html.part: trackerd cannot write the output"),
        ])
    func mistakes(arguments: [String], status: Int32, message: String) throws {
        let result = try Daemon.output(["report"] + arguments + ["--config", samples.config])
        #expect(result.status == status)
        #expect(result.errors.contains(message))
    }

    @Test("A drive that the program recorded is reported while it runs, with its stops, its receiver and its uploads.")
    func running() throws {
        let server = try WebServer()
        try server.start()
        let vehicle = try Vehicle(targets: ["{name: home, url: \"\(server.url)\", format: owntracks}"])
        let rules = try String(contentsOfFile: vehicle.config, encoding: .utf8)
        try vehicle.scratch.write(rules + "timeZone: UTC\n", to: "config.yaml")
        let daemon = try vehicle.start(speed: 60)
        #expect(eventually { daemon.logged.contains("Arrived: ") })
        #expect(eventually { (try? deliveredPage(vehicle)) != nil })
        let page = try #require(try deliveredPage(vehicle))
        #expect(daemon.end() == 0)
        #expect(page.contains("<b>GPS receiver</b>") && page.contains("<title>Receiver on, "))
        #expect(page.contains("<title>Moving, ") && page.contains("<title>Parked, "))
        #expect(page.contains("data-title=\"Arrived\"") && page.contains("<dt>Refused fixes</dt>"))
        #expect(page.contains("class=\"line\"") && page.utf8.count < 100_000)
    }

    /// Returns the report on the recorded day; nil if there is no record, if the report fails, or if it shows no
    /// delivered record.
    private func deliveredPage(_ vehicle: Vehicle) throws -> String? {
        guard let first = vehicle.stored.first?.record.time else { return nil }
        let day = String(first.description.prefix(10))
        let page = try Daemon.output(["report", "--day", day, "--config", vehicle.config])
        return page.status == 0 && page.text.contains("delivered</span>") ? page.text : nil
    }
}
