import Foundation
import Peers
import Quantities
import Store
import Testing
import Tracking

@Suite(
    "A server that refuses records",
    .enabled(if: WebServer.python != nil, "python3 is missing: apt install python3"))
struct RefusalTests {
    private let scratch: Scratch
    private let server: WebServer
    private let began = Date().timeIntervalSince1970

    init() throws {
        scratch = try Scratch()
        server = try WebServer()
        try server.start()
        try scratch.write(
            """
            device: van1
            store: {path: "\(scratch.path)/t.sqlite"}
            control: {socket: "\(scratch.path)/control.sock"}
            targets: [{name: van, url: "\(server.url)", format: geojson}]
            tracking: {desiredSyncInterval: 0, distanceFilter: 10, turnFilter: 0}
            """, to: "config.yaml")
    }

    /// The vehicle also drives while the program is not running.
    private func startDaemon() throws -> Daemon {
        try Daemon(
            [
                "run", "--board", "sim", "--drive", Daemon.root.path + "/Tests/Traces/sample_trip.csv.gz", "--speed",
                "20", "--began", "\(began)", "--config", scratch.path + "/config.yaml",
            ], log: URL(fileURLWithPath: scratch.path + "/log"))
    }

    private func run(_ arguments: String...) throws -> (text: String, errors: String, status: Int32) {
        try Daemon.output(arguments + ["--config", scratch.path + "/config.yaml"])
    }

    private func stored() throws -> [StoredRecord] {
        try DeliveryTable(path: scratch.path + "/t.sqlite").oldest(awaiting: "nobody", limit: 10_000, excluding: [])
    }

    /// The sequence numbers of the records in each request.
    private var requests: [[Int64]] {
        server.bodies.map { body in
            let object = (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any]
            let features = object?["features"] as? [[String: Any]] ?? []
            return features.compactMap { ($0["properties"] as? [String: Any])?["sequence"] as? Int64 }
        }
    }

    @Test(
        "A server that rejects everything for a while loses no record, and the log contains the reason.",
        arguments: [
            ("refuse 400 down for maintenance", "status 400: down for maintenance"),
            (
                "413",
                "status 413; the request is larger than the server or its proxy allows: raise their limit, or lower `batchSize`"
            ),
            (#"body {"error":"invalid token"}"#, "status 200: invalid token"),
        ])
    func refusesEverything(manner: String, reason: String) throws {
        try server.answer(manner)
        let daemon = try startDaemon()
        #expect(eventually { daemon.logged.contains("van: uploads are failing (the server refuses all records") })
        #expect(daemon.logged.contains("(\(reason))"))
        let before = requests.count
        #expect(eventually { requests.count > before + 1 }, "it is tried again")
        try server.behave(.good)
        let refused = server.bodies.count
        #expect(eventually { ((try? stored().count) ?? 0) > 2 }, "\(daemon.logged)")
        let all = try Set(stored().map(\.sequence))
        #expect(eventually { Set(requests.dropFirst(refused).joined()).isSuperset(of: all) })
        #expect(eventually { daemon.logged.contains("van: uploads recovered") })
        #expect(!daemon.logged.contains("set aside"))
        #expect(try run("queue").text.contains(", 0 set aside\n"))
        #expect(daemon.end() == 0)
    }

    @Test("After a rejected password trackerd pauses, but `queue retry` tries the server at once.")
    func retriesNow() throws {
        try server.answer("401")
        let daemon = try startDaemon()
        #expect(eventually { daemon.logged.contains("and at once after `trackerd queue retry`.") })
        try server.behave(.good)
        let reply = try run("queue", "retry")
        #expect(reply.text == "No record is set aside. trackerd tries all targets now.\n", "\(reply)")
        #expect(eventually { daemon.logged.contains("van: uploads recovered") })
        let all = try Set(stored().map(\.sequence))
        #expect(eventually { Set(requests.joined()).isSuperset(of: all) })
        #expect(daemon.end() == 0)
    }

    @Test("Records that a server rejects while it accepts others are set aside, listed, and resent on request.")
    func refusesSome() throws {
        try server.answer(#"not "kind":"motionchange""#)
        var daemon = try startDaemon()
        #expect(eventually { (try? run("status").text.contains("set aside)")) == true })
        let number = try #require(try stored().first { $0.record.kind == .motionchange }?.sequence)
        #expect(
            daemon.logged.contains(
                "van: the server accepts other records, but not record \(number) (status 400), so trackerd sets it aside. `trackerd queue` lists such records"
            )
        )
        let listed = try run("queue")
        #expect(listed.status == 0 && listed.text.hasPrefix("van: "))
        // Lines about waiting records can come first.
        let line = listed.text.split(separator: "\n").first { $0.hasPrefix("  \(number)  20") }
        #expect(line?.hasSuffix("Z  motionchange  status 400") == true, "\(listed.text)")

        try server.behave(.good)
        let wrong = try run("queue", "retry", "999999")
        #expect(wrong.status != 0 && wrong.errors.contains("no set-aside record matches the request."))
        #expect(try run("queue", "retry", "--target", "vam").errors.contains("Did you mean `van`?"))
        let before = server.bodies.count
        #expect(try run("queue", "retry", "--target", "van", "\(number)").text == "trackerd sends 1 record again.\n")
        #expect(eventually { requests.dropFirst(before).joined().contains(number) })
        #expect(eventually { (try? run("queue").text.contains("  \(number)  ")) == false })
        #expect(daemon.end() == 0)

        // Without a daemon, the command reads the set-aside records from the database, and the next daemon sends these
        // records. The test deletes the other rows, because on a slow machine the server may have rejected a second
        // record.
        try change(
            "DELETE FROM refused; INSERT INTO refused (target, sequence, reason) VALUES ('van', \(number), 'status 400')"
        )
        let aside = try listedAside()
        #expect(aside == [number], "expected \(number)")
        #expect(try run("queue", "retry").text == "trackerd sends 1 record again.\n")
        #expect(try listedAside().isEmpty)
        #expect(try run("queue").text.contains(" waiting, 0 set aside\n"))
        let earlier = server.bodies.count
        daemon = try startDaemon()
        #expect(eventually { requests.dropFirst(earlier).joined().contains(number) })
        #expect(daemon.end() == 0)
    }

    @Test("A command gives up set-aside and waiting records, which remain on the device and never reach the server.")
    func givesUp() throws {
        try server.answer("503")
        let daemon = try startDaemon()
        #expect(eventually { ((try? stored().count) ?? 0) > 1 }, "\(daemon.logged)")
        try change("INSERT OR REPLACE INTO refused (target, sequence, reason) VALUES ('van', 1, 'status 400')")
        #expect(
            try run("queue", "drop").errors.contains("the targets that lack them will never receive them."))
        #expect(try listedAside() == [1])
        #expect(try run("queue", "drop", "--yes", "7").errors.contains("no set-aside record matches the request."))
        #expect(try run("queue", "drop", "--yes", "--target", "van", "1").text == "1 record was given up.\n")
        #expect(try listedAside().isEmpty)

        let before = try #require(try stored().map(\.sequence).max())
        #expect(try run("queue", "drop", "--yes", "--waiting").text.hasSuffix(" records were given up.\n"))
        #expect(eventually { daemon.logged.contains("queue: a command gave up records") })
        let refused = server.bodies.count
        try server.behave(.good)
        _ = try run("queue", "retry")
        #expect(eventually { requests.dropFirst(refused).joined().contains { $0 > before } }, "later records arrive")
        #expect(daemon.end() == 0)
        #expect(try stored().map(\.sequence).contains(before))
        #expect(requests.dropFirst(refused).joined().allSatisfy { $0 > before })
    }

    private func listedAside() throws -> [Int64] {
        let data = Data(try run("queue", "--json").text.utf8)
        let answer = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        let targets = try #require(answer["targets"] as? [[String: Any]])
        let records = try #require(targets.first?["records"] as? [[String: Any]])
        return records.compactMap { $0["sequence"] as? Int64 }
    }

    @Test("Records that this version cannot read are set aside, and the log reports that.")
    func unreadable() throws {
        let daemon = try startDaemon()
        #expect(eventually { requests.joined().count > 2 })
        #expect(daemon.end() == 0)
        let number = try #require(try stored().last?.sequence)
        try change("UPDATE record SET rest = 'torn' WHERE sequence = \(number)")
        try change("UPDATE delivery SET cursor = \(number) - 1")
        let second = try startDaemon()
        #expect(
            eventually {
                second.logged.contains(
                    "van: trackerd cannot send record \(number) (this version of trackerd cannot read it), and sets it aside."
                )
            })
        #expect(try run("queue").text.contains("  \(number)  "))
        #expect(second.end() == 0)
    }

    private func change(_ sql: String) throws {
        let script = "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.executescript(sys.argv[2])"
        let python = try #require(WebServer.python)
        try Child(python, ["-c", script, scratch.path + "/t.sqlite", sql]).wait()
    }
}
