import Foundation
import Peers
import Quantities
import Store
import Testing
import Tracking

@Suite(
    "A receiver that reports impossible values",
    .enabled(if: WebServer.python != nil, "not installed: python3"))
struct LyingReceiverTests {
    private let scratch: Scratch
    private let began = Date().timeIntervalSince1970
    /// The start of the sample trip, where its vehicle is parked.
    private let home = (latitude: 41.6625, longitude: -91.5379)

    init() throws {
        scratch = try Scratch()
        try configure("")
    }

    @Test("Glitches do not change the odometer, and impossible values are not recorded.")
    func glitches() throws {
        var reports: [ScriptedGpsd.Report] = []
        for second in 0..<150 {
            var report = report(north: Double(second) * 10)
            report.speed = 10
            switch second {
            case 40..<43: report.latitude += 1
            case 60..<63: report.latitude += 0.02
            case 80..<84: report.latitude = 0
            case 100..<103: report.speed = 1e300
            case 110..<130: report.more = #""altMSL":1e300,"altHAE":-1e300,"track":1e9,"climb":-1e300,"epv":1e300"#
            default: break
            }
            reports.append(report)
        }
        let last = reports.count
        let gpsd = try ScriptedGpsd(reports, every: 0.04, began: began, epoch: Self.epoch, speed: 25)
        let daemon = try start(gpsd, speed: 25, "--events", scratch.path + "/events")
        #expect(eventually { gpsd.sent > last })
        let odometer = try #require(status()["odometer_m"] as? Double)
        #expect((1200...1700).contains(odometer))
        #expect(daemon.end() == 0)

        let places = try onDisk().compactMap(\.record.position)
        #expect(places.count > 5)
        for place in places {
            #expect((41.66...41.69).contains(place.coordinate.latitude))
            #expect(place.speed.map { $0 <= MetresPerSecond(100) } ?? true)
            #expect(place.altitude == nil && place.ellipsoidAltitude == nil && place.verticalAccuracy == nil)
            #expect(place.course.map { $0.value <= 360 } ?? true)
        }
        let events = scratch.lines(of: "events")
        for reason in ["jump", "nullIsland"] {
            #expect(events.contains { $0.contains("\"refused\"") && $0.contains("\"\(reason)\"") })
        }
        #expect(events.contains { $0.contains("ignored as impossible for a vehicle: altitude") })
    }

    @Test(
        "A fix dated ten years ahead removes no undelivered record, and later records have the right time.",
        arguments: [3, 30])
    func wrongYear(count: Int) throws {
        // A drive without a server leaves a backlog.
        let first = try Daemon(arguments(speed: 100), log: log)
        #expect(eventually { first.logged.contains("Departed: ") })
        for _ in 0..<5 { #expect(try run("locate").status == 0) }
        #expect(first.end() == 0)
        let backlog = try onDisk().map(\.sequence)
        #expect(backlog.count >= 5)

        try configure("maxDaysToPersist: 7")
        let lying = (0..<count).map { _ in
            var report = report(north: 0)
            report.wrongBy = 86_400 * 3653
            return report
        }
        let restarted = Date().timeIntervalSince1970
        let speed = 500.0
        let gpsd = try ScriptedGpsd(
            lying + [report(north: 0)], every: 0.02, began: restarted, epoch: Self.epoch + 86_400, speed: speed)
        let second = try start(gpsd, speed: speed, "--clock-unset", "--began", "\(restarted)")
        // The tracker removes old records at most once per hour, during a commit; each `locate` causes a commit.
        while Date().timeIntervalSince1970 - restarted < 3900 / speed { _ = try run("locate") }
        // The tracker requests a fix only for `locate`. On a busy computer gpsd may not have sent all wrong dates
        // during the loop above, so locate until it has also sent right ones.
        #expect(
            eventually {
                _ = try? run("locate")
                return gpsd.sent > count + 3
            })
        #expect(try run("locate").status == 0)
        #expect(second.end() == 0)
        #expect(!second.logged.contains("trackerd removed"))
        let stored = try onDisk()
        #expect(Set(backlog).isSubset(of: stored.map(\.sequence)))
        let answer = try #require(stored.last { $0.record.kind == .request })
        for date in [answer.created, answer.record.time] {
            #expect(date > Timestamp(year: 2026, month: 1, day: 2) && date < Timestamp(year: 2026, month: 1, day: 4))
        }
    }

    /// 2026-01-01, the start of simulated time.
    private static let epoch = 1_767_225_600.0

    private var log: URL { URL(fileURLWithPath: scratch.path + "/log") }

    private func report(north metres: Double) -> ScriptedGpsd.Report {
        ScriptedGpsd.Report(latitude: home.latitude + metres / 111_080, longitude: home.longitude)
    }

    private func configure(_ tracking: String) throws {
        try scratch.write(
            """
            device: van1
            store: {path: "\(scratch.path)/t.sqlite"}
            control: {socket: "\(scratch.path)/control.sock"}
            targets: [{name: home, url: "http://127.0.0.1:\(freePort())/pub"}]
            tracking: {\(tracking)}
            """, to: "config.yaml")
    }

    private func arguments(speed: Double) -> [String] {
        [
            "run", "--board", "sim", "--drive", Daemon.root.path + "/Tests/Traces/sample_trip.csv.gz", "--speed",
            "\(speed)", "--config", scratch.path + "/config.yaml",
        ]
    }

    private func start(_ gpsd: ScriptedGpsd, speed: Double, _ more: String...) throws -> Daemon {
        try Daemon(arguments(speed: speed) + ["--gpsd", "127.0.0.1:\(gpsd.port)"] + more, log: log)
    }

    private func run(_ arguments: String...) throws -> (text: String, errors: String, status: Int32) {
        try Daemon.output(arguments + ["--config", scratch.path + "/config.yaml"])
    }

    private func status() -> [String: Any] {
        guard let text = try? run("status", "--json").text else { return [:] }
        return (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
    }

    private func onDisk() throws -> [StoredRecord] {
        let always = Timestamp(milliseconds: 0)...Timestamp(year: 2100, month: 1, day: 1)
        return try History(path: scratch.path + "/t.sqlite").excerpt(of: always).records
            .sorted { $0.sequence < $1.sequence }
    }
}
