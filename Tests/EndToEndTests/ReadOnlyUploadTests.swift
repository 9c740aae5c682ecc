import Foundation
import Peers
import Store
import Testing
import Tracking

@Suite("Uploads while the disk accepts no data")
struct ReadOnlyUploadTests {
    private let scratch: Scratch
    private let server: WebServer

    init() throws {
        scratch = try Scratch()
        server = try WebServer()
        try FileManager.default.createDirectory(atPath: scratch.path + "/disk", withIntermediateDirectories: true)
        try scratch.write(
            """
            device: van1
            store: {path: "\(scratch.path)/disk/t.sqlite"}
            control: {socket: "\(scratch.path)/control.sock"}
            targets: [{name: archive, url: "\(server.url)", format: geojson}]
            tracking: \(Vehicle.earlyArrival)
            """, to: "config.yaml")
    }

    /// The JSON of each delivery of a record, by the record's UUID.
    private var received: [String: [String]] {
        var found: [String: [String]] = [:]
        for body in server.bodies {
            let json = try? JSONSerialization.jsonObject(with: Data(body.utf8)) as? [String: Any]
            for case let feature as [String: Any] in json?["features"] as? [Any] ?? [] {
                let properties = feature["properties"] as? [String: Any]
                guard let uuid = properties?["uuid"] as? String,
                    let text = try? JSONSerialization.data(withJSONObject: feature, options: .sortedKeys)
                else { continue }
                found[uuid, default: []].append(String(decoding: text, as: UTF8.self))
            }
        }
        return found
    }

    @Test(
        "If the disk accepts no data, the tracker sends new records from memory, and stores them when the disk works.",
        .enabled(if: TestBench.missing.isEmpty, "not installed: \(TestBench.missing)"),
        .enabled(if: FaultyDisk.isAvailable, "not installed: cc"), arguments: [EROFS, ENOSPC, EIO])
    func goesOn(errno: Int32) throws {
        try server.start(denying: false)
        let fault = try FaultyDisk(on: scratch.path + "/disk")
        let daemon = try Daemon(
            [
                "run", "--board", "sim", "--drive", Daemon.root.path + "/Tests/Traces/sample_trip.csv.gz", "--speed",
                "5",
                "--config", scratch.path + "/config.yaml",
            ], log: URL(fileURLWithPath: scratch.path + "/log"), environment: fault.environment)
        #expect(eventually { received.count > 3 })
        try fault.begin(errno)
        #expect(eventually { daemon.logged.contains("Recording continues in memory") })
        let before = received.count
        #expect(eventually { received.count > before + 10 }, "\(daemon.logged)")
        #expect(!daemon.logged.contains("The queue is on disk again"))
        try fault.end()
        #expect(eventually { daemon.logged.contains("The queue is on disk again") })
        #expect(eventually { daemon.logged.contains("Arrived") })
        #expect(daemon.end() == 0)

        let table = try DeliveryTable(path: scratch.path + "/disk/t.sqlite")
        let stored = try table.oldest(awaiting: "nobody", limit: 10_000, excluding: [])
        #expect(stored.map(\.sequence) == Array(1...Int64(stored.count)))
        let awaiting = try Set(table.oldest(awaiting: "archive", limit: 10_000, excluding: []).map(\.uuid))
        let arrived = received
        // The server has every record that the queue has marked as delivered. The text of a record is the same in all its
        // deliveries.
        #expect(stored.map(\.uuid).filter { !awaiting.contains($0) && arrived[$0] == nil } == [])
        #expect(arrived.keys.filter { uuid in !stored.contains { $0.uuid == uuid } } == [])
        #expect(arrived.values.filter { Set($0).count > 1 }.isEmpty)
    }
}
