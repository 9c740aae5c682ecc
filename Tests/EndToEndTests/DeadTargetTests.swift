import Foundation
import Peers
import Quantities
import Store
import Testing
import Tracking

@Suite("Targets that receive nothing")
struct DeadTargetTests {
    private let server: WebServer
    private let working: WebServer
    private let vehicle: Vehicle

    init() throws {
        (server, working) = (try WebServer(), try WebServer())
        try working.start()
        try server.start()
        try server.answer("401")
        vehicle = try Vehicle(
            targets: [
                "{name: home, url: \"\(working.url)\", format: geojson}",
                "{name: strict, url: \"\(server.url)\", format: geojson}",
                "{name: gone, url: \"http://127.0.0.1:\(freePort())/\", format: geojson}",
            ], tracking: Vehicle.earlyArrival)
    }

    private func targets(_ status: [String: Any]) -> [[String: Any]] {
        (status["queue"] as? [String: Any])?["targets"] as? [[String: Any]] ?? []
    }

    @Test(
        "The status names them among the faults, the report shows them, and no server that was never reached is up to date."
    )
    func named() throws {
        let daemon = try vehicle.start()
        #expect(eventually { daemon.logged.contains("Arrived: ") })
        #expect(eventually { ((try? vehicle.status())?["faults"] as? [String])?.count == 2 })
        let status = try vehicle.status()
        let faults = try #require(status["faults"] as? [String])
        #expect(faults.contains { $0.hasPrefix("strict: ") && $0.contains("(status 401)") }, "\(faults)")
        #expect(faults.contains { $0.hasPrefix("gone: ") }, "\(faults)")
        #expect(
            eventually {
                (try? vehicle.status()).map { targets($0).map { $0["never_reached"] as? Bool } } == [nil, true, true]
            })
        let text = try vehicle.run("status").text
        #expect(
            text.contains("waiting, not yet reached (") && text.components(separatedBy: "not yet reached").count == 3)
        let arrival = try #require(vehicle.everything.last { $0.record.kind == .motionchange && !$0.record.isMoving })
        #expect(status["since"] as? String == arrival.record.time.description)
        let day = String(arrival.record.time.description.prefix(10))
        let report = try vehicle.run("report", "--day", day).text
        for name in ["home", "strict", "gone"] { #expect(report.contains(name), "\(name)") }
        #expect(daemon.end() == 0)
    }
}
