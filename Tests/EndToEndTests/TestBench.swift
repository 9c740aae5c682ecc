import Foundation
import Peers
import Store
import Tracking

/// A recorded drive, two web servers, a broker, and the program between them.
final class TestBench {
    static var missing: [String] {
        [("python3", WebServer.python), ("mosquitto", Broker.program)].filter { $0.1 == nil }.map(\.0)
    }

    let scratch: Scratch
    let recorder: WebServer
    let archive: WebServer
    let broker: Broker
    private let began: Double

    /// The simulated time begins now, and the servers are not running.
    init(tracking: String = "{desiredSyncInterval: 0, distanceFilter: 10, turnFilter: 0}") throws {
        scratch = try Scratch()
        recorder = try WebServer()
        archive = try WebServer()
        broker = try Broker()
        began = Date().timeIntervalSince1970
        try scratch.write(
            """
            device: van1
            store: {path: "\(scratch.path)/trackerd.sqlite"}
            targets:
              - {name: recorder, url: "\(recorder.url)", format: owntracks}
              - {name: archive, url: "\(archive.url)", format: geojson}
              - {name: broker, url: "\(broker.url)", format: owntracks}
            tracking: \(tracking)
            """, to: "config.yaml")
    }

    func startServers() throws {
        try recorder.start(denying: false)
        try archive.start(denying: false)
        try broker.start()
    }

    /// The simulated time began when the bench was made, and continued while the program was not running.
    func startDaemon(drive: String, speed: Int) throws -> Daemon {
        let arguments = [
            "run", "--board", "sim", "--drive", Daemon.root.path + "/Tests/Traces/" + drive, "--speed", "\(speed)",
            "--began", "\(began)", "--config", scratch.path + "/config.yaml", "--log-level", "debug",
        ]
        return try Daemon(arguments, log: URL(fileURLWithPath: scratch.path + "/log"))
    }

    func stored() throws -> [StoredRecord] {
        try DeliveryTable(path: scratch.path + "/trackerd.sqlite")
            .oldest(awaiting: "nobody", limit: 1_000_000, excluding: [])
    }

    /// The UUIDs that the OwnTracks recorder received, in order.
    var atRecorder: [String] { recorder.bodies.compactMap { Self.object($0)["_id"] as? String } }

    /// The UUIDs that the GeoJSON archive received, in order.
    var atArchive: [String] {
        archive.bodies.flatMap { body -> [String] in
            let features = Self.object(body)["features"] as? [[String: Any]] ?? []
            return features.compactMap { ($0["properties"] as? [String: Any])?["uuid"] as? String }
        }
    }

    /// The UUIDs that the broker received, in order, without the messages about the tracker's condition.
    var atBroker: [String] {
        broker.bodies.map(Self.object).filter { $0["_type"] as? String != "status" }.compactMap { $0["_id"] as? String }
    }

    private static func object(_ text: String) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(text.utf8))) as? [String: Any] ?? [:]
    }
}

extension StoredRecord {
    /// OwnTracks has no message type for some kinds and for a shutdown. Its other messages need a position, except
    /// those about waypoints.
    var isExpressibleInOwnTracks: Bool {
        switch record.kind {
        case .location, .motionchange, .visit, .request, .ping, .driving, .transition: record.position != nil
        case .waypoint: true
        case .power: record.position != nil && record.content != .power(.shutdown)
        case .trip, .providerchange, .health, .optionschange, .order: false
        }
    }
}
