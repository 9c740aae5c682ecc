import Foundation
import GRDB
import Glibc
import Motion
import Peers
import TestSupport
import Store
import Testing
import Tracking

/// A complete vehicle: the lab's devices wired as on a Pi 4, a modem with a server behind it, and the program.
final class LabVehicle {
    static let missing = LabGPS.missing + LabServer.missing
    static let (interruptLine, powerLine, switchLine) = (17, 27, 22)
    static let beacon = LabBeacons.Beacon(uuid: "6d1f2a90-4c3e-4b7a-9e55-0a1b2c3d4e5f", major: 1, minor: 7)
    private static let address: UInt8 = 0x18

    let gps: LabGPS
    let server: WebServer
    let daemon: LabDaemon
    private let scratch: Scratch
    private let bus: LabBus
    private let road: LabRoad
    private let beacons: LabBeacons

    /// Starts all parts, with the vehicle parked at the start of the drive and out of range of its beacon.
    ///
    /// - `hasPrivateSwitch`: whether the line `switchLine` is the input of a private switch, which is off at the start.
    init(drive: URL, tracking: String, hasPrivateSwitch: Bool = false) throws {
        scratch = try Scratch()
        try LabLines.pull(Self.powerLine, up: false)
        if hasPrivateSwitch { try LabLines.pull(Self.switchLine, up: false) }
        let chip = try #require(FakeChip(model: "LIS3DH"))
        let model = try #require(Accelerometers.named("LIS3DH"))
        bus = try LabBus([Self.address: chip], interrupts: [Self.address: Self.interruptLine])
        road = LabRoad(chip, on: bus, rate: model.rate)
        gps = try LabGPS(repeating: drive, power: Self.powerLine)
        gps.isStanding(true)
        beacons = try LabBeacons()
        server = try LabServer.make()
        try server.start(denying: false)
        let contact = hasPrivateSwitch ? "  private: {chip: \(LabLines.chip), line: GPIO\(Self.switchLine)}\n" : ""
        try scratch.write(
            Self.configuration(in: scratch.path, gps: gps, server: server, tracking: tracking) + contact,
            to: "config.yaml")
        let path = scratch.path
        let arguments = ["run", "--board", "pi4", "--config", path + "/config.yaml", "--events", path + "/events"]
        daemon = try LabDaemon(arguments + ["--log-level", "debug"], log: path + "/log")
    }

    deinit { road.stop() }

    /// Returns a configuration in which the wires of the board file lead to the lab's devices.
    private static func configuration(
        in folder: String, gps: LabGPS, server: WebServer, tracking: String
    ) -> String {
        """
        device: van1
        store: {path: \(folder)/trackerd.sqlite}
        control: {socket: \(folder)/control.sock}
        targets:
          - {name: archive, url: "\(server.url)", format: geojson, allowInsecure: true}
        beacons:
          - {uuid: \(beacon.uuid), major: \(beacon.major), name: van1, role: vehicle}
        tracking: {\(tracking)}
        board:
          gpsd: {host: 127.0.0.1, port: \(gps.port), device: \(gps.device)}
          accelerometer:
            bus: \(LabBus.device)
            interrupt: {chip: \(LabLines.chip), line: GPIO\(interruptLine), activeLow: false}
          receiverPower:
            line: {chip: \(LabLines.chip), line: GPIO\(powerLine)}
            gpsdControl: \(gps.control)
          ignition: none
          powerFail: none
          indicator: none
          atRest: []
          wakeUp: none

        """
    }

    func isDriving(_ isDriving: Bool) {
        road.isDriving(isDriving)
        gps.isStanding(!isDriving)
    }

    /// Pauses the chip's samples while the vehicle stands, or continues them.
    func isAsleep(_ isAsleep: Bool) { road.isAsleep(isAsleep) }

    func meetBeacon() throws { try LabBeacons.set([Self.beacon]) }

    var isReceiverOn: Bool { (try? LabLines.isHigh(Self.powerLine)) ?? false }

    var events: [[String: Any]] {
        scratch.lines(of: "events").compactMap {
            try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }

    /// The program's states, in order: `moving`, `stationary`.
    var states: [String] { events.filter { $0["event"] as? String == "state" }.compactMap { $0["state"] as? String } }

    func stored() throws -> [StoredRecord] {
        try DeliveryTable(path: scratch.path + "/trackerd.sqlite")
            .oldest(awaiting: "nobody", limit: 1_000_000, excluding: [])
    }

    func hasArrived() throws -> Bool {
        try stored().last { $0.record.kind == .motionchange }.map { !$0.record.isMoving } ?? false
    }

    /// Runs `body` while the database is locked.
    ///
    /// `body` must take less than 5 s, because the program continues without the database after this time.
    func withoutWriting<Result>(_ body: () throws -> Result) throws -> Result {
        try DatabaseQueue(path: scratch.path + "/trackerd.sqlite").inDatabase { database in
            try database.execute(sql: "BEGIN IMMEDIATE")
            defer { try? database.execute(sql: "ROLLBACK") }
            return try body()
        }
    }

    var delivered: Set<String> {
        Set(
            server.bodies.flatMap { body -> [String] in
                let object = (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any]
                let features = object?["features"] as? [[String: Any]] ?? []
                return features.compactMap { ($0["properties"] as? [String: Any])?["uuid"] as? String }
            })
    }
}
