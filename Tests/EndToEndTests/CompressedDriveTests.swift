import Foundation
import Peers
import Testing

@Suite("A recorded drive, compressed", .enabled(if: WebServer.python != nil, "not installed: python3"))
struct CompressedDriveTests {
    @Test("A batch of 100 recorded locations takes at most 70 bytes a location as compressed geojson.")
    func bytes() throws {
        // The first requests of a target contain only 10, 20, 40 and 80 records.
        let bench = try Bench(drives: 4, completing: ["400"])
        let whole = try bench.deliver().map { ($0, Self.features(in: $0.body)) }.filter { $1.count == 100 }
        #expect(!whole.isEmpty)
        for (request, properties) in whole {
            #expect(properties.allSatisfy { $0["supply_V"] != nil && $0["kind"] as? String == "location" })
            #expect(request.headers["Content-Encoding"] == "gzip")
            #expect(request.bytes + request.headBytes <= 70 * 100)
        }
    }

    private static func features(in collection: String) -> [[String: Any]] {
        let object = (try? JSONSerialization.jsonObject(with: Data(collection.utf8))) as? [String: Any]
        return (object?["features"] as? [[String: Any]] ?? []).compactMap { $0["properties"] as? [String: Any] }
    }
}

private struct Bench {
    private let scratch: Scratch
    private let server: WebServer

    /// Records drives without targets, and then adds the values that a real tracker would have measured.
    init(drives: Int, completing arguments: [String]) throws {
        (scratch, server) = (try Scratch(), try WebServer())
        try server.start()
        try configure(targets: "")
        let drive = Daemon.root.path + "/Tests/Traces/2023-08-09_12-47-42.csv.gz"
        let words = (0..<drives).flatMap { _ in ["--drive", drive] }
        let daemon = try start(["--board", "sim", "--speed", "1000", "--exit-at-end"] + words)
        try #require(daemon.wait() == 0, "\(daemon.logged)")
        let script = Daemon.root.path + "/scripts/lib/complete_records.py"
        let child = try Child(WebServer.python ?? "", ["-B", script, scratch.path + "/t.sqlite"] + arguments)
        child.wait()
        try #require(child.status == 0)
    }

    func deliver() throws -> [WebServer.Request] {
        let rest = "format: geojson, compress: gzip, batchSize: 100, order: oldestFirst"
        try configure(targets: "{name: complete, url: \"\(server.url)/complete\", \(rest)}")
        let daemon = try start(["--board", "bare", "--gpsd", "127.0.0.1:\(freePort())"])
        let config = scratch.path + "/config.yaml"
        let isEmpty = {
            ((try? Daemon.output(["queue", "--config", config]).text) ?? "").contains("complete: 0 waiting")
        }
        #expect(eventually(isEmpty), "\(daemon.logged)")
        daemon.end()
        return server.requests
    }

    private func configure(targets: String) throws {
        try scratch.write(
            """
            device: van1
            store: {path: "\(scratch.path)/t.sqlite"}
            control: {socket: "\(scratch.path)/control.sock"}
            targets: [\(targets)]
            tracking: {desiredSyncInterval: 0}
            """, to: "config.yaml")
    }

    private func start(_ arguments: [String]) throws -> Daemon {
        try Daemon(
            ["run"] + arguments + ["--config", scratch.path + "/config.yaml"],
            log: URL(fileURLWithPath: scratch.path + "/log"))
    }
}
