import Foundation
import Peers
import Testing

@Suite(
    "The messages about regions and beacons",
    .enabled(if: Broker.program != nil && WebServer.python != nil, "mosquitto or python3 is missing"))
struct RegionMessageTests {
    private static let uuid = "fda50693-a4e2-4fb1-afcf-c6eb07647825"
    private let scratch: Scratch
    private let broker: Broker

    /// A vehicle that stands in the region Depot for ten minutes and leaves it; two beacons are near for nine minutes.
    init() throws {
        scratch = try Scratch()
        broker = try Broker()
        try broker.start()
        try FileManager.default.createDirectory(atPath: scratch.path + "/drive", withIntermediateDirectories: true)
        var drive = SyntheticDrive()
        drive.stand(600)
        drive.drive(120, at: 15)
        drive.stand(1200)
        try scratch.write(drive.csv, to: "drive/drive.csv")
        let sightings = (10..<540).map { "\($0).1,\(Self.uuid),7,1,-60\n\($0).2,\(Self.uuid),6,1,-60\n" }
        try scratch.write("t_s,uuid,major,minor,rssi\n" + sightings.joined(), to: "drive/beacons.csv")
        try scratch.write(
            """
            device: van1
            store: {path: "\(scratch.path)/t.sqlite", commitInterval: 0}
            control: {socket: "\(scratch.path)/control.sock"}
            targets: [{name: broker, url: "\(broker.url)", format: owntracks}]
            regions: [{name: Depot, latitude: 52.52, longitude: 13.405, radius: 300}]
            tracking: {desiredSyncInterval: 0, stopTimeout: 60}
            """, to: "config.yaml")
    }

    @Test(
        "Servers receive the entries and exits of circles and of beacons, with the description; the status names both.")
    func transitions() throws {
        let daemon = try start(speed: 60)
        // In OwnTracks' notation, the UUID makes the waypoint a beacon region.
        let set = try run("waypoint", "set", "Trailer:\(Self.uuid):7:1", "--at", "52.6,13.6")
        #expect(set.status == 0, "\(set.errors)")
        #expect(try run("region", "list").text.contains("Trailer  beacon  \(Self.uuid)"))
        #expect(eventually { inside() == ["Depot", "Trailer"] }, "\(inside()) \(daemon.logged)")
        #expect(eventually { inside().isEmpty }, "\(inside())")
        #expect(eventually { transitionLines.count == 4 }, "\(transitionLines)")
        #expect(daemon.endInTime() == 0)
        #expect(
            Set(transitionLines) == ["c enter Depot", "c leave Depot", "b enter Trailer", "b leave Trailer"],
            "\(transitionLines)")
    }

    @Test("A waypoint is published when it is made and when it is changed; a radius of 0 ends the region.")
    func waypoint() throws {
        let daemon = try start(speed: 1)
        for (radius, isWatched) in [("80", true), ("0", false)] {
            #expect(try run("waypoint", "set", "Yard", "--at", "52.6,13.6", "--radius", radius).status == 0)
            #expect(try run("region", "list").text.contains("Yard") == isWatched)
        }
        #expect(eventually { waypoints.count == 2 })
        #expect(waypoints.map { $0["desc"] as? String } == ["Yard", "Yard"])
        #expect(waypoints.map { $0["rad"] as? Int ?? 0 } == [80, 0])
        #expect(daemon.endInTime() == 0)
    }

    /// Rows of OwnTracks' table of waypoints: the number, and the arguments of `waypoint set` besides the name and the place.
    private static let rows: [(number: Int, arguments: [String])] = [
        (3, []), (4, ["--radius", "100", "--no-shared"]), (5, ["--radius", "100"]),
        (6, ["--uuid", uuid, "--major", "6", "--no-shared"]), (7, ["--uuid", uuid, "--major", "7"]),
        (8, ["--radius", "100", "--uuid", uuid, "--major", "7", "--no-shared"]),
        (9, ["--radius", "100", "--uuid", uuid, "--major", "7"]),
    ]

    @Test("A broker receives exactly the waypoints and transitions that OwnTracks' table of waypoints lists.")
    func waypointTable() throws {
        var daemon = try start(speed: 1)
        for (number, arguments) in Self.rows {
            let words = ["waypoint", "set", "Row \(number)", "--at", "52.52,13.405"] + arguments
            let (_, errors, status) = try Daemon.output(words + ["--config", scratch.path + "/config.yaml"])
            #expect(status == 0, "\(errors)")
        }
        // Row 2 is a location that the user publishes without a description, and row 1 a location of the drive.
        #expect(try run("locate").status == 0)
        daemon.kill()
        // The vehicle stands in the circles and near the beacons, and then leaves both.
        daemon = try start(speed: 60)
        let named = [5, 7, 9].flatMap { row in ["enter", "leave"].map { "\(row == 7 ? "b" : "c") \($0) Row \(row)" } }
        // The rows 4 and 8 are circles, and row 6 is a beacon.
        let unnamed = ["c", "c", "b"].flatMap { kind in ["enter", "leave"].map { "\(kind) \($0) " } }
        let expected = (named + unnamed + ["c enter Depot", "c leave Depot"]).sorted()
        #expect(eventually { transitionLines.count >= expected.count }, "\(transitionLines)")
        #expect(eventually { daemon.logged.contains("Arrived: ") })
        #expect(daemon.endInTime() == 0)
        #expect(transitionLines.sorted() == expected)
        #expect(waypoints.map { $0["desc"] as? String } == ["Row 3", "Row 5", "Row 7", "Row 9"])
        #expect(messages.contains { $0["_type"] as? String == "location" })
        for number in [4, 6, 8] { #expect(!broker.bodies.joined().contains("Row \(number)")) }
    }

    private var messages: [[String: Any]] {
        broker.bodies.map { (try? JSONSerialization.jsonObject(with: Data($0.utf8))) as? [String: Any] ?? [:] }
    }

    private var waypoints: [[String: Any]] { messages.filter { $0["_type"] as? String == "waypoint" } }

    /// The type, the event and the description of each transition.
    ///
    /// After a SIGKILL, the broker can receive a message a second time.
    private var transitionLines: [String] {
        var seen: Set<String> = []
        return messages.filter { $0["_type"] as? String == "transition" }
            .filter { seen.insert($0["_id"] as? String ?? "").inserted }
            .map { message in ["t", "event", "desc"].map { "\(message[$0] ?? "")" }.joined(separator: " ") }
    }

    /// Returns the names of the regions that contain the vehicle.
    private func inside() -> [String] {
        guard let text = try? run("status", "--json").text else { return [] }
        let status = (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any]
        return (status?["regions"] as? [String])?.sorted() ?? []
    }

    private func start(speed: Int) throws -> Daemon {
        let daemon = try Daemon(
            [
                "run", "--board", "sim", "--drive", scratch.path + "/drive", "--speed", "\(speed)", "--config",
                scratch.path + "/config.yaml",
            ], log: URL(fileURLWithPath: scratch.path + "/log"))
        #expect(eventually { daemon.logged.contains("Started; ") })
        return daemon
    }

    private func run(_ arguments: String...) throws -> (text: String, errors: String, status: Int32) {
        try Daemon.output(arguments + ["--config", scratch.path + "/config.yaml"])
    }
}
