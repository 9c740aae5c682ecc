@testable import Delivery
@testable import Formats
import Foundation
import Quantities
import Testing
import Tracking
@testable import Upload

@Suite("Reading a server's orders")
struct OrderReaderTests {
    private func read(_ text: String, _ permissions: RemotePermission...) -> [OrderReader.Reading] {
        OrderReader(target: "home", device: "van1", permissions: Set(permissions)) { "made" }.read(Array(text.utf8))
    }

    private func refusals(_ text: String, _ permissions: RemotePermission...) -> [OrderError] {
        OrderReader(target: "home", device: "van1", permissions: Set(permissions)) { "made" }.read(Array(text.utf8))
            .compactMap {
                if case .failure(let refusal) = $0 { refusal } else { nil }
            }
    }

    private let move = #"{"request":"mode","mode":"move","id":"a1","expires":"2026-05-04T10:00:00Z"}"#

    @Test("A permitted request becomes an order with ID and expiry, and its other members become the body.")
    func request() {
        let order = StoredOrder(
            target: "home", id: "a1", body: #"{"id":"a1","mode":"move","request":"mode"}"#,
            expires: Timestamp(milliseconds: 1_777_888_800_000))
        #expect(read(move, .mode) == [.success(order)])
        #expect(read("[\(move)]", .mode) == [.success(order)])
        #expect(read(#"{"orders":[\#(move)]}"#, .mode) == [.success(order)])
        let seconds = move.replacing(#""2026-05-04T10:00:00Z""#, with: "1777888800")
        #expect(read(seconds, .mode) == [.success(order)])
    }

    @Test("A request needs the permission of its own name, and no permission is granted by default.")
    func permission() {
        #expect(refusals(move) == [.notPermitted("mode", .mode)])
        #expect(refusals(move, .locate, .options, .silence) == [.notPermitted("mode", .mode)])
    }

    @Test(
        "No permission lets a server use a request that reads files, changes evidence, runs a program or halts the board.",
        arguments: ["config reload", "queue retry", "record", "reboot", "halt", "run", "no such request"])
    func never(name: String) {
        let text = #"{"request":"\#(name)","id":"a","expires":1777888800}"#
        let reader = OrderReader(target: "home", device: "van1", permissions: Set(RemotePermission.allCases)) { "made" }
        #expect(reader.read(Array(text.utf8)) == [.failure(.neverRemote(name))])
    }

    @Test(
        "A list of regions that trackerd has fetched becomes an order without an expiry.",
        arguments: [
            (#"[{"name":"a"}]"#, #"[{"name":"a"}]"#), (#"{"regions":[{"name":"a"}]}"#, #"[{"name":"a"}]"#),
            (
                #"{"type":"FeatureCollection","features":[],"regions":[1]}"#,
                #"{"features":[],"regions":[1],"type":"FeatureCollection"}"#
            ),
        ])
    func regions(list: String, regions: String) {
        let reader = OrderReader(target: "home", device: "van1", permissions: [.regions]) { "made" }
        let order = StoredOrder(
            target: "home", id: "made", body: #"{"regions":\#(regions),"request":"regions"}"#, expires: nil)
        #expect(reader.readRegions(Array(list.utf8)) == .success(order))
    }

    @Test(
        "A list of regions that is not JSON, too long or too deep is refused.",
        arguments: [
            ("<html>log in</html>", "is not JSON"),
            ("[" + String(repeating: " ", count: 256 << 10) + "]", "is longer than 256 KiB"),
            ("[[[[[[[[[1]]]]]]]]]", "has more than 8 levels of brackets"),
        ])
    func badRegions(list: String, fault: String) {
        let reader = OrderReader(target: "home", device: "van1", permissions: [.regions]) { "made" }
        #expect(reader.readRegions(Array(list.utf8)) == .failure(.regions(fault)))
        #expect("\(OrderError.regions(fault))" == "the list of regions \(fault)")
    }

    @Test("OwnTracks' commands become orders with an ID that trackerd makes; `action` is refused.")
    func actions() {
        let message = #"{"_type":"cmd","action":"reportLocation"}"#
        let order = StoredOrder(
            target: "home", id: "made", body: #"{"_type":"cmd","action":"reportLocation"}"#, expires: nil)
        #expect(read(message, .locate) == [.success(order)])
        #expect(refusals(message) == [.notPermitted("reportLocation", .locate)])
        #expect(refusals(#"{"_type":"cmd","action":"action"}"#, .locate) == [.neverRemote("action")])
        #expect(refusals(#"{"_type":"cmd"}"#, .locate) == [.neverRemote("")])
    }

    @Test(
        "Locations, cards and other answers of a server are neither orders nor errors.",
        arguments: ["[]", "{}", #"[{"_type":"location","lat":1,"lon":2}]"#, #"{"result":"ok"}"#, "[1,\"a\",null]"])
    func others(text: String) { #expect(read(text, .locate, .mode).isEmpty) }

    @Test(
        "An order without a valid ID or expiry is refused.",
        arguments: [
            (#""id":"a1","#, "", OrderError.withoutID("mode")), (#""a1""#, #""""#, .withoutID("mode")),
            (#""a1""#, #""a b""#, .withoutID("mode")), (#""a1""#, #""\u00e9""#, .withoutID("mode")),
            (#""a1""#, "1", .withoutID("mode")),
            (#""a1""#, "\"\(String(repeating: "x", count: 65))\"", .withoutID("mode")),
            (#""2026-05-04T10:00:00Z""#, #""tomorrow""#, .withoutExpiry("mode")),
            (#""2026-05-04T10:00:00Z""#, "1e300", .withoutExpiry("mode")),
            (#""2026-05-04T10:00:00Z""#, "-1", .withoutExpiry("mode")),
        ] as [(String, String, OrderError)])
    func incomplete(old: String, new: String, refusal: OrderError) {
        #expect(refusals(move.replacing(old, with: new), .mode) == [refusal])
    }

    @Test("A message that is too long or deep, has too many orders, or is not JSON, is refused as a whole.")
    func bounds() {
        #expect(refusals(String(repeating: " ", count: 262_145), .mode) == [.malformed("is longer than 256 KiB")])
        let deep = String(repeating: "[", count: 9) + String(repeating: "]", count: 9)
        #expect(refusals(deep, .mode) == [.malformed("has more than 8 levels of brackets")])
        #expect(
            refusals(String(repeating: "[", count: 100_000), .mode) == [
                .malformed("has more than 8 levels of brackets")
            ])
        #expect(refusals("{", .mode) == [.malformed("is not JSON")])
        let many = "[" + Array(repeating: move, count: 65).joined(separator: ",") + "]"
        #expect(refusals(many, .mode) == [.malformed("contains more than 64 orders")])
        // Brackets inside a text do not count as levels.
        let text = move.replacing("a1", with: String(repeating: "[", count: 20))
        #expect(refusals(text, .mode) == [])
    }

    @Test("Random bytes and damaged orders cause neither a crash nor an order.")
    func noise() {
        var generator = SystemRandomNumberGenerator()
        let reader = OrderReader(target: "home", device: "van1", permissions: Set(RemotePermission.allCases)) { "made" }
        for _ in 0..<20_000 {
            var bytes = Array(move.utf8)
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            for case .success(let order) in reader.read(bytes) {
                #expect(OrderReader.isID(order.id) && order.expires != nil)
            }
        }
    }

    @Test("Twenty orders pass at once, then one per second, and at most 100 per hour.")
    func gate() {
        var gate = OrderGate()
        let start = Instant.boot + .seconds(1000)
        var passed = (0..<30).count { _ in gate.admits(at: start) }
        #expect(passed == 20)
        passed = (1...200).count { gate.admits(at: start + .seconds($0)) }
        #expect(passed == 80)
        passed = [3599, 3600].count { gate.admits(at: start + .seconds($0)) }
        #expect(passed == 1)
    }

    @Test("Refused orders are reported at most once a minute, with the number of refused orders.")
    func refused() {
        var refused = RefusedOrders()
        let start = Instant.boot + .seconds(1000)
        var report = refused.take(at: start)
        #expect(report == nil)
        refused.add(.tooMany)
        report = refused.take(at: start)
        #expect(report == .ordersRefused(count: 1, reason: "\(OrderError.tooMany)"))
        for _ in 0..<500 { refused.add(.neverRemote("x")) }
        report = refused.take(at: start + .seconds(59))
        #expect(report == nil)
        #expect(refused.deadline == start + .seconds(60))
        report = refused.take(at: start + .seconds(60))
        #expect(report == .ordersRefused(count: 500, reason: "`x` is not available to servers"))
    }

    @Test("The table in docs/remote-control.md has a row for each permission.", arguments: RemotePermission.allCases)
    func documented(permission: RemotePermission) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
        let text = try String(contentsOf: root.appendingPathComponent("docs/remote-control.md"), encoding: .utf8)
        let cells = [permission.requests, permission.actions].map { names in
            names.isEmpty ? "|" : "| " + names.map { "`\($0)`" }.joined(separator: ", ") + " "
        }
        let row = "| `\(permission.rawValue)` | \(permission.summary) \(cells[0])\(cells[1])|"
        #expect(text.contains(row.replacing("||", with: "| |")), "\(row)")
    }
}

extension RemotePermission {
    /// The permission's text in docs/remote-control.md.
    fileprivate var summary: String {
        switch self {
        case .locate: "request the vehicle's position, except in a private period and in the modes `quiet` and `manual`"
        case .status:
            "request the state of the tracker, except in a private period; in the modes `quiet` and `manual` without the position"
        case .move: "mark the vehicle as moving or parked"
        case .mode:
            "switch to the mode `significant` or `move`, or back to the configured profile, except in the modes `quiet` and `manual`"
        case .trip: "end trips, and begin trips except in a private period"
        case .tag: "tag records"
        case .waypoints: "list, set and remove waypoints"
        case .regions: "set the regions that the tracker watches with `syncGeofences`"
        case .options: "set tracking options, except values that need `silence` (see below)"
        case .odometer: "set the odometer"
        case .restart: "restart trackerd, no sooner than an hour after its last start"
        case .stayAwake: "keep the board of a parked vehicle awake, for at most a day"
        case .silence:
            "make the tracker send less: stop tracking, or begin a private period. With `mode`, it may also enter and leave the modes `quiet` and `manual`. With `options`, it may also go beyond the limits below"
        }
    }
}
