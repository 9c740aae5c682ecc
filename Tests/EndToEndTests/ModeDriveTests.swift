import Foundation
import Peers
import Quantities
import Store
import Testing
import Tracking

@Suite(
    "The messages of a drive in each of OwnTracks' modes",
    .enabled(if: Broker.program != nil && WebServer.python != nil, "mosquitto or python3 is missing"))
struct ModeDriveTests {
    /// A mode on a platform, and the numbers of messages that this mode publishes about the drive.
    struct Row: Sendable, CustomTestStringConvertible {
        let mode: String
        /// The mode's number in messages.
        let m: Int
        let isAndroid: Bool
        /// The permitted number of track points at the broker.
        let points: ClosedRange<Int>
        let transitions: Int
        /// The number of motion changes: departure, arrival, and the first position of the installation.
        let changes: Int
        let hasPings: Bool

        var profile: String {
            guard isAndroid else { return mode }
            return mode == "move" ? "move-android" : "significant-android"
        }

        /// Whether a command in an earlier run switches to the mode.
        var isSwitched: Bool { isAndroid && m <= 0 }

        var testDescription: String { "\(mode) on \(isAndroid ? "Android" : "iOS")" }
    }

    /// The modes, and their messages about a drive of 600 s at 20 m/s that leaves a region.
    static let rows = [
        Row(mode: "quiet", m: -1, isAndroid: false, points: 0...0, transitions: 0, changes: 0, hasPings: false),
        Row(mode: "quiet", m: -1, isAndroid: true, points: 0...0, transitions: 0, changes: 0, hasPings: false),
        Row(mode: "manual", m: 0, isAndroid: false, points: 0...0, transitions: 2, changes: 0, hasPings: false),
        Row(mode: "manual", m: 0, isAndroid: true, points: 0...0, transitions: 2, changes: 0, hasPings: false),
        // The mode requests a point every 300 s if the vehicle has moved at least 500 m. The last fix of the trip is
        // also a point. The departure and the arrival come too soon before and after points.
        Row(mode: "significant", m: 1, isAndroid: false, points: 2...3, transitions: 2, changes: 1, hasPings: true),
        // The mode requests a point every 900 s. Fixes for other purposes and the last fix of the trip are also points.
        Row(mode: "significant", m: 1, isAndroid: true, points: 0...8, transitions: 2, changes: 3, hasPings: false),
        // The mode requests a point every 100 m.
        Row(mode: "move", m: 2, isAndroid: false, points: 100...125, transitions: 2, changes: 3, hasPings: false),
        // The mode requests a point every 10 s until the engine confirms the stop.
        Row(mode: "move", m: 2, isAndroid: true, points: 55...75, transitions: 2, changes: 3, hasPings: false),
    ]

    private let scratch: Scratch
    private let broker: Broker

    init() throws {
        scratch = try Scratch()
        broker = try Broker()
        try broker.start()
        try scratch.write(Self.drive, to: "drive.csv")
    }

    @Test("A broker receives exactly the messages of a drive that OwnTracks' mode allows.", arguments: rows)
    func messages(row: Row) throws {
        try configure(profile: row.profile)
        if row.isSwitched { try switchMode(to: row.mode) }
        let daemon = try startDaemon(drive: "drive.csv")
        #expect(eventually { daemon.logged.contains("Departed: ") })
        #expect(try run("locate").status == 0)
        #expect(try run("waypoint", "set", "Yard", "--at", "52.6,13.6", "--radius", "50").status == 0)
        #expect(eventually { daemon.logged.contains("Arrived: ") })
        if row.hasPings { #expect(eventually { messages.contains { $0["t"] as? String == "p" } }) }
        #expect(eventually { isDelivered() })
        #expect(daemon.end() == 0)

        let kinds = try kinds()
        let got = messages.map { (kind: kinds[$0["_id"] as? String ?? ""], message: $0) }
        func count(_ kind: Record.Kind) -> Int { got.count { $0.kind == kind } }
        #expect(count(.request) == 1 && count(.waypoint) == 1)
        #expect(count(.transition) == row.transitions)
        let places = got.filter { $0.kind == .location }.map(\.message)
        #expect(places.count { $0["t"] as? String == "c" } == row.transitions)
        #expect(row.points.contains(places.count { $0["t"] == nil }), "\(places.count) points")
        #expect(count(.motionchange) == row.changes)
        #expect(count(.trip) == 0)
        #expect((count(.ping) > 0) == row.hasPings)
        let others: [Record.Kind] = [.request, .waypoint, .transition, .location, .motionchange, .trip, .ping]
        #expect(got.allSatisfy { $0.kind.map(others.contains) ?? false })

        let events = got.filter { $0.kind == .transition }.map { $0.message["event"] as? String }
        #expect(events == (row.transitions == 0 ? [] : ["enter", "leave"]))
        let located = got.filter { $0.message["_type"] as? String == "location" }.map(\.message)
        #expect(located.allSatisfy { $0["m"] as? Int == row.m })
        if row.mode == "significant", !row.isAndroid { try expectSpacing(of: places.filter { $0["t"] == nil }) }
    }

    /// Checks that points of significant mode on iOS are at least 5 minutes apart.
    ///
    /// At the speed of the drive, such points are also more than 500 m apart. The last fix of the trip is exempt.
    private func expectSpacing(of points: [[String: Any]]) throws {
        let times = points.compactMap { $0["tst"] as? Int }
        #expect(times.count == points.count)
        #expect(zip(times, times.dropFirst()).dropLast().allSatisfy { $1 - $0 >= 300 })
    }

    private var messages: [[String: Any]] {
        broker.bodies.map { (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any] ?? [:] }
    }

    private func isDelivered() -> Bool {
        let table = try? DeliveryTable(path: scratch.path + "/trackerd.sqlite")
        return (try? table?.oldest(awaiting: "broker", limit: 1, excluding: []))?.isEmpty ?? false
    }

    /// Returns the kinds of the records, by UUID.
    private func kinds() throws -> [String: Record.Kind] {
        let always = Timestamp(milliseconds: 0)...Timestamp(year: 2100, month: 1, day: 1)
        let records = try History(path: scratch.path + "/trackerd.sqlite").excerpt(of: always).records
        return Dictionary(uniqueKeysWithValues: records.map { ($0.uuid, $0.record.kind) })
    }

    private func configure(profile: String) throws {
        try scratch.write(
            """
            device: van1
            store: {path: "\(scratch.path)/trackerd.sqlite", commitInterval: 0}
            control: {socket: "\(scratch.path)/control.sock"}
            targets: [{name: broker, url: "\(broker.url)", format: owntracks}]
            regions: [{name: Depot, latitude: 52.52, longitude: 13.405, radius: 300}]
            tracking: {profile: \(profile), desiredSyncInterval: 0, stopTimeout: 60}
            """, to: "config.yaml")
    }

    /// Switches the mode in a run of the program without a fix; the next run continues in this mode.
    private func switchMode(to mode: String) throws {
        try scratch.write("t_s,ax,ay,az\n0,0,0,9.81\n600,0,0,9.81\n", to: "still.csv")
        let daemon = try startDaemon(drive: "still.csv")
        #expect(try run("mode", mode).status == 0)
        #expect(daemon.end() == 0)
        try FileManager.default.removeItem(atPath: scratch.path + "/log")
    }

    private func startDaemon(drive: String) throws -> Daemon {
        let daemon = try Daemon(
            [
                "run", "--board", "sim", "--drive", scratch.path + "/\(drive)", "--speed", "120", "--config",
                scratch.path + "/config.yaml",
            ], log: URL(fileURLWithPath: scratch.path + "/log"))
        #expect(eventually { daemon.logged.contains("Started; ") })
        return daemon
    }

    private func run(_ arguments: String...) throws -> (text: String, errors: String, status: Int32) {
        try Daemon.output(arguments + ["--config", scratch.path + "/config.yaml"])
    }

    /// A drive of 600 s at 20 m/s to the east, with samples at 10 Hz and a fix every second; the vehicle is parked before and
    /// after it.
    static let drive: String = {
        let (parked, moving, end) = (120, 720, 3600)
        var rows = ["t_s,ax,ay,az,lat,lon,alt_m,speed_mps,course_deg,hacc_m"]
        var longitude = 13.405
        // The metres in a degree of longitude at 52.52° north.
        let metres = 67_760.0
        for second in 0..<end {
            let isMoving = (parked..<moving).contains(second)
            for tenth in 0..<10 {
                let shake = isMoving ? [0.8, -0.7, 0.5, -0.9, 0.6, -0.4, 0.9, -0.6, 0.3, -0.5][tenth] : 0
                let fix =
                    tenth == 0
                    ? "52.52,\(longitude),40,\(isMoving ? 20 : 0),\(isMoving ? "90" : ""),4" : ",,,,,"
                rows.append("\(second).\(tenth),\(shake),\(-shake),\(9.81 + shake),\(fix)")
            }
            if isMoving { longitude += 20 / metres }
        }
        return rows.joined(separator: "\n") + "\n"
    }()
}
