import Foundation
import Peers
import Store
import Testing
import Tracking

@Suite(
    "A backlog over HTTP with one record per request",
    .enabled(if: WebServer.python != nil, "python3 is missing: apt install python3"))
struct BacklogTests {
    @Test(
        "After a kill during the upload of a backlog, all records arrive, at most 21 twice, in the same bytes."
    )
    func kill() throws {
        let scratch = try Scratch()
        let server = try WebServer()
        try server.start()
        try scratch.write(
            """
            device: van1
            store: {path: "\(scratch.path)/t.sqlite"}
            control: {socket: "\(scratch.path)/control.sock"}
            targets: [{name: van, url: "\(server.url)", format: owntracks}]
            tracking: {desiredSyncInterval: 0, distanceFilter: 5, turnFilter: 0}
            """, to: "config.yaml")
        let arguments = [
            "run", "--board", "sim", "--drive", Daemon.root.path + "/Tests/Traces/2023-08-09_12-47-42.csv.gz",
            "--speed", "300", "--began", "\(Date().timeIntervalSince1970)", "--config", scratch.path + "/config.yaml",
        ]
        let log = URL(fileURLWithPath: scratch.path + "/log")
        // The server accepts no records until the tracker has a backlog.
        try server.answer("500")
        let first = try Daemon(arguments, log: log)
        #expect(eventually { (try? sayable(scratch).count) ?? 0 > 80 })
        let failed = server.bodies.count
        try server.answer("first \(failed + 45) mute")
        // The server may have refused some more requests before it changed its answer; their records arrive again.
        let refused = server.bodies.count - failed
        #expect(eventually { server.bodies.count > failed + 45 })
        first.kill()
        try server.behave(.good)
        let second = try Daemon(arguments, log: log)
        let wanted = try sayable(scratch)
        func taken() -> [String] { Array(server.bodies.dropFirst(failed)) }
        #expect(eventually { wanted.allSatisfy { uuid in taken().contains { $0.contains(uuid) } } })
        #expect(second.end() == 0)
        let bodies = taken()
        #expect(bodies.count - Set(bodies).count <= 21 + refused, "twenty, and the one that was not answered")
        let identities = Set(bodies.compactMap { $0.split(separator: "\"").first { $0.count == 36 } })
        #expect(identities.count == Set(bodies).count, "the same record in the same bytes")
    }
    /// Returns the UUIDs of the records that OwnTracks can express.
    private func sayable(_ scratch: Scratch) throws -> Set<String> {
        let table = try DeliveryTable(path: scratch.path + "/t.sqlite")
        let stored = try table.oldest(awaiting: "nobody", limit: 10_000, excluding: [])
        return Set(stored.filter(\.isExpressibleInOwnTracks).map(\.uuid))
    }
}
