import Foundation
import Peers
import Testing

@Suite("The Prometheus textfile of the running program")
struct MetricFileEndToEndTests {
    private let vehicle: Vehicle
    private let server: WebServer
    private var path: String { vehicle.scratch.path + "/trackerd.prom" }

    init() throws {
        server = try WebServer()
        vehicle = try Vehicle(targets: ["{name: 'ho\"me', url: \"\(server.url)\"}"])
        let config = try String(contentsOfFile: vehicle.config, encoding: .utf8)
        try vehicle.scratch.write(
            config + "metrics: {textfile: \"\(vehicle.scratch.path)/trackerd.prom\", interval: 1s}\n", to: "config.yaml"
        )
    }

    /// Returns the values of the metrics, by name with labels.
    private func values() -> [String: Double] {
        let lines = vehicle.scratch.lines(of: "trackerd.prom").filter { !$0.hasPrefix("#") }
        return lines.reduce(into: [:]) { values, line in
            guard let space = line.lastIndex(of: " ") else { return }
            values[String(line[..<space])] = Double(line[line.index(after: space)...])
        }
    }

    @Test("The file shows the drive, the queue and the uploads, and 0 for `trackerd_up` after the end.")
    func drive() throws {
        try server.start(denying: false)
        let daemon = try vehicle.start()
        #expect(eventually { values()[#"trackerd_state{state="moving"}"#] == 1 })
        let accepted = #"trackerd_uploads_total{target="ho\"me",result="accepted"}"#
        #expect(eventually { values()[accepted] ?? 0 > 0 && values()["trackerd_ttff_seconds_count"] ?? 0 > 0 })
        let running = values()
        #expect(running["trackerd_up"] == 1 && running["trackerd_receiver_on"] == 1)
        #expect(running[#"trackerd_target_up{target="ho\"me"}"#] == 1)
        #expect(running["trackerd_departures_total"] == 1)
        #expect(daemon.endInTime() == 0)
        let end = values()
        #expect(end["trackerd_up"] == 0)
        let records = end.filter { $0.key.hasPrefix("trackerd_records_total{") }.values.reduce(0, +)
        #expect(records == Double(vehicle.stored.count))
        #expect(try #require(end["trackerd_commits_total"]) > 1)
        #expect(!FileManager.default.fileExists(atPath: path + ".new"))
    }

    @Test("A target that fails has failed uploads, waiting records and the time of the oldest.")
    func failing() throws {
        let daemon = try vehicle.start()
        let failed = #"trackerd_uploads_total{target="ho\"me",result="failed"}"#
        #expect(
            eventually { values()[failed] ?? 0 > 0 && values()[#"trackerd_queue_records{target="ho\"me"}"#] ?? 0 > 1 })
        #expect(eventually { values()[#"trackerd_target_up{target="ho\"me"}"#] == 0 })
        #expect(values()[#"trackerd_queue_oldest_timestamp_seconds{target="ho\"me"}"#] ?? 0 > 1e9)
        #expect(daemon.endInTime() == 0)
    }

    @Test("A file that cannot be written does not stop the tracker.")
    func unwritable() throws {
        let config = try String(contentsOfFile: vehicle.config, encoding: .utf8)
        try vehicle.scratch.write(
            config.replacingOccurrences(of: path, with: "/proc/trackerd.prom"), to: "config.yaml")
        let daemon = try vehicle.start()
        #expect(try vehicle.isTracking())
        #expect(daemon.logged.contains("/proc/trackerd.prom: trackerd cannot write the metrics ("))
        #expect(daemon.endInTime() == 0)
    }

    @Test("A changed section `metrics` is refused while the daemon runs.")
    func reload() throws {
        let daemon = try vehicle.start()
        #expect(eventually { daemon.logged.contains("Started; ") })
        let config = try String(contentsOfFile: vehicle.config, encoding: .utf8)
        try vehicle.scratch.write(
            config.replacingOccurrences(of: "interval: 1s", with: "interval: 2s"), to: "config.yaml")
        let (_, errors, status) = try Daemon.output(["config", "reload", "--config", vehicle.config])
        #expect(status != 0 && errors.contains("`metrics` has changed. The change takes effect only when"))
        #expect(daemon.endInTime() == 0)
    }
}
