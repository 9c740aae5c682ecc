import Foundation
import Peers
import Store
import Testing
import Tracking

@Suite(
    "Options that decide which records a server receives",
    .enabled(if: WebServer.python != nil, "not installed: python3"))
struct UploadOptionTests {
    private let server: WebServer

    init() throws {
        server = try WebServer()
        try server.start()
    }

    private var target: String { "{name: home, url: \"\(server.url)\", format: geojson}" }

    private static let trip: SyntheticDrive = {
        var drive = SyntheticDrive()
        drive.stand(60)
        drive.drive(120, at: 15)
        drive.stand(600)
        return drive
    }()

    /// The section `tracking`, and the kinds of records that the server receives from a drive.
    static let syncRows: [(tracking: String, kinds: Set<Record.Kind>)] = [
        ("{sync: all}", [.power, .motionchange, .trip, .location, .request]),
        ("{sync: stopsAndExits}", [.motionchange, .trip, .request]),
        // Radar's default is to send all records on iOS, and stops and exits on Android.
        (
            "{radar: {platform: ios, desiredMovingUpdateInterval: 10}}",
            [.power, .motionchange, .trip, .location, .request]
        ),
        ("{radar: {platform: android, desiredMovingUpdateInterval: 10}}", [.motionchange, .trip, .request]),
        ("{radar: {platform: android, desiredMovingUpdateInterval: 10, sync: 0}}", [.request]),
    ]

    @Test(
        "The server receives the kinds of records that `sync` allows, and the device stores all.", arguments: syncRows)
    func sync(tracking: String, kinds: Set<Record.Kind>) throws {
        let vehicle = try Vehicle(
            targets: [target], tracking: tracking.dropLast() + ", desiredSyncInterval: 0, stopTimeout: 60}",
            drive: Self.trip)
        let daemon = try vehicle.start(speed: 120)
        #expect(eventually { daemon.logged.contains("Arrived: ") }, "\(daemon.logged)")
        #expect(try vehicle.run("locate").status == 0)
        #expect(eventually { (try? waiting(vehicle)) == 0 })
        #expect(daemon.endInTime() == 0)
        // At this speed, a short pause of the machine is a minute without samples, which the tracker rightly reports.
        let stored = vehicle.everything.filter { $0.record.kind != .health }
        #expect(Set(stored.map(\.record.kind)) == [.power, .motionchange, .trip, .location, .request])
        let received = server.bodies.joined()
        #expect(Set(stored.filter { received.contains($0.uuid) }.map(\.record.kind)) == kinds)
    }

    /// The section `tracking`, and the value of `replay` that applies.
    static let replayRows: [(tracking: String, replay: String)] = [
        ("{replay: all}", "all"), ("{radar: {desiredMovingUpdateInterval: 10, replay: 1}}", "stops"),
        // Radar's default is to send no missed record.
        ("{radar: {desiredMovingUpdateInterval: 10}}", "none"),
    ]

    @Test(
        "After an outage, the server receives the missed records that `replay` allows, and the newest.",
        arguments: replayRows)
    func replay(tracking: String, replay: String) throws {
        let vehicle = try Vehicle(
            targets: [target], tracking: tracking.dropLast() + ", desiredSyncInterval: 0, stopTimeout: 60}",
            drive: Self.trip)
        let daemon = try vehicle.start(speed: 12)
        #expect(eventually { !server.bodies.isEmpty })
        server.stop()
        let before = vehicle.stored.count
        #expect(eventually { daemon.logged.contains("Departed: ") })
        #expect(eventually { daemon.logged.contains("home: uploads are failing (") }, "\(daemon.logged)")
        #expect(eventually { daemon.logged.contains("Arrived: ") }, "\(daemon.logged)")
        try server.start()
        // Otherwise the daemon waits for up to 20 s before the next attempt.
        #expect(try vehicle.run("queue", "retry").status == 0)
        #expect(eventually { daemon.logged.contains("home: uploads recovered") })
        #expect(try vehicle.run("waypoint", "set", "Later", "--at", "52.6,13.6").status == 0)
        #expect(eventually { server.bodies.joined().contains("Later") && (try? waiting(vehicle)) == 0 })
        #expect(daemon.endInTime() == 0)

        let text = server.bodies.joined()
        let missed = vehicle.stored.dropFirst(before).prefix { $0.record.kind != .waypoint }
        // The newest place among the missed records arrives whatever `replay` is, and so does what came after it.
        let newest = try #require(missed.last { $0.record.position != nil && $0.record.kind != .trip })
        let older = missed.filter { $0.sequence < newest.sequence }
        #expect(newest.record.isStop && older.count > 5)
        let late = older.filter { text.contains($0.uuid) }
        switch replay {
        case "all": #expect(late.count == older.count)
        case "stops": #expect(late.map(\.uuid) == older.filter(\.record.isStop).map(\.uuid))
        default: #expect(late.isEmpty)
        }
    }

    @Test(
        "GeoManager's section sends records once in 60 s, unless `desiredSyncInterval` is set.",
        arguments: [("{geoManager: {}}", true), ("{geoManager: {}, desiredSyncInterval: 0}", false)])
    func spool(tracking: String, isSpooled: Bool) throws {
        let vehicle = try Vehicle(targets: [target], tracking: tracking, drive: Self.trip)
        let daemon = try vehicle.start(speed: 1)
        #expect(eventually { !server.bodies.isEmpty })
        #expect(try vehicle.run("locate").status == 0)
        let answer = try #require(vehicle.stored.last { $0.record.kind == .request }?.uuid)
        if isSpooled {
            #expect(try waiting(vehicle) > 0 && !server.bodies.joined().contains(answer))
        } else {
            #expect(eventually { server.bodies.joined().contains(answer) })
        }
        let shown = try vehicle.run("config", "show").text
        #expect(shown.contains("desiredSyncInterval: \(isSpooled ? "1m" : "0s") "), "\(shown)")
        #expect(daemon.endInTime() == 0)
    }

    @Test("While the vehicle is parked for two hours, trackerd contacts the server only with records.")
    func noPolling() throws {
        var parked = SyntheticDrive()
        parked.stand(2 * 3600)
        let vehicle = try Vehicle(targets: [target], tracking: "{profile: motion}", drive: parked)
        let daemon = try vehicle.start(speed: 4000, ["--exit-at-end"])
        #expect(daemon.wait() == 0)
        let uuids = vehicle.stored.map(\.uuid)
        let counts = server.bodies.map { body in uuids.count { body.contains($0) } }
        // A request contains at least one record, and no record is sent twice.
        #expect(!counts.isEmpty && counts.allSatisfy { $0 > 0 }, "\(server.bodies)")
        #expect(counts.reduce(0, +) <= uuids.count)
        // If the computer pauses the program, virtual minutes without a sample pass, and `health` records report them.
        #expect(vehicle.stored.count { $0.record.kind != .health } <= 4)
    }

    private func waiting(_ vehicle: Vehicle) throws -> Int {
        let queue = try vehicle.status()["queue"] as? [String: Any]
        let target = (queue?["targets"] as? [[String: Any]])?.first
        return try #require(target?["waiting"] as? Int)
    }
}
