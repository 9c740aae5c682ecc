import Foundation
import Peers
import Testing

@Suite("A recorded drive as columns", .enabled(if: WebServer.python != nil, "not installed: python3"))
struct ColumnsDriveTests {
    @Test("Columns of a drive are decoded to exactly the features that the format `geojson` sends.")
    func features() throws {
        let bench = try Bench(completing: [])
        let (columns, collections) = try bench.deliver()
        let decoded = try ColumnsReader.features(of: columns.map(\.body)).flatMap { $0 }
        let expected = collections.flatMap { ColumnsReader.features(in: $0.body) }
        #expect(expected.count > 100)
        #expect(decoded == expected)
        for kind in ["motionchange", "trip", "power", "location"] {
            #expect(decoded.contains { $0.contains("\"kind\":\"\(kind)\"") }, "\(kind)")
        }
        #expect(columns.allSatisfy { $0.headers["Content-Encoding"] == "gzip" })
    }

    @Test("A batch of 100 recorded locations takes at most 70 bytes a location as geojson, and at most 40 as columns.")
    func bytes() throws {
        // The first requests of a target contain only 10, 20, 40 and 80 records.
        let bench = try Bench(drives: 4, completing: ["400"])
        let (columns, collections) = try bench.deliver()
        let ofColumns = try zip(columns, ColumnsReader.features(of: columns.map(\.body))).filter { $1.count == 100 }
        let ofCollections = collections.map { ($0, ColumnsReader.features(in: $0.body)) }.filter { $1.count == 100 }
        #expect(!ofColumns.isEmpty && !ofCollections.isEmpty)
        for (request, features) in ofCollections {
            #expect(features.allSatisfy { $0.contains("supply_V") && $0.contains("\"kind\":\"location\"") })
            #expect(request.bytes + request.headBytes <= 70 * 100)
        }
        for (request, _) in ofColumns { #expect(request.bytes + request.headBytes <= 40 * 100) }
    }
}

/// A database with the records of a drive, and a web server for two targets.
private struct Bench {
    private let scratch: Scratch
    private let server: WebServer

    /// Records a drive without targets, and then adds the values that a real tracker would have measured.
    init(drives: Int = 1, completing arguments: [String]) throws {
        (scratch, server) = (try Scratch(), try WebServer())
        try server.start()
        try configure(targets: [])
        let drive = Daemon.root.path + "/Tests/Traces/2023-08-09_12-47-42.csv.gz"
        let words = (0..<drives).flatMap { _ in ["--drive", drive] }
        let daemon = try start(["--board", "sim", "--speed", "1000", "--exit-at-end"] + words)
        try #require(daemon.wait() == 0, "\(daemon.logged)")
        let script = Daemon.root.path + "/scripts/lib/complete_records.py"
        let child = try Child(WebServer.python ?? "", ["-B", script, scratch.path + "/t.sqlite"] + arguments)
        child.wait()
        try #require(child.status == 0)
    }

    /// Sends the records to both targets; returns their requests.
    func deliver() throws -> (columns: [WebServer.Request], collections: [WebServer.Request]) {
        let rest = "batchSize: 100, order: oldestFirst"
        try configure(targets: [
            "{name: dense, url: \"\(server.url)/dense\", format: columns, \(rest)}",
            "{name: complete, url: \"\(server.url)/complete\", format: geojson, compress: gzip, \(rest)}",
        ])
        let daemon = try start(["--board", "bare", "--gpsd", "127.0.0.1:\(freePort())"])
        let config = scratch.path + "/config.yaml"
        let isEmpty = {
            let queue = (try? Daemon.output(["queue", "--config", config]).text) ?? ""
            return queue.contains("dense: 0 waiting") && queue.contains("complete: 0 waiting")
        }
        #expect(eventually(isEmpty), "\(daemon.logged)")
        daemon.end()
        return (requests("/dense"), requests("/complete"))
    }

    private func requests(_ path: String) -> [WebServer.Request] { server.requests.filter { $0.path.hasSuffix(path) } }

    private func configure(targets: [String]) throws {
        try scratch.write(
            """
            device: van1
            store: {path: "\(scratch.path)/t.sqlite"}
            control: {socket: "\(scratch.path)/control.sock"}
            targets: [\(targets.joined(separator: ", "))]
            tracking: {desiredSyncInterval: 0}
            """, to: "config.yaml")
    }

    private func start(_ arguments: [String]) throws -> Daemon {
        try Daemon(
            ["run"] + arguments + ["--config", scratch.path + "/config.yaml"],
            log: URL(fileURLWithPath: scratch.path + "/log"))
    }
}
