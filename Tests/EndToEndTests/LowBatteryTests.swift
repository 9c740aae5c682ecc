import Foundation
import Peers
import Quantities
import Testing
import Tracking

@Suite("A low battery in the running program")
struct LowBatteryTests {
    @Test(
        "A low battery ends the regular position checks and the pings of a parked vehicle, and is recorded.",
        arguments: [(12.6, false), (11.2, true)])
    func pauses(voltage: Double, isLow: Bool) throws {
        let vehicle = try Vehicle(
            tracking: "{desiredStoppedUpdateInterval: 300, heartbeatInterval: 300}",
            more: [
                """
                board: {base: sim, lowVoltage: 11.8, wakeUp: clock, wakeAfter: 12h, \
                supplyMonitor: {ina219: {bus: /dev/i2c-9, address: 0x40, divider: 3}}}
                """
            ])
        try vehicle.scratch.write(try Self.recording(voltage: voltage), to: "parked.drive")
        let path = vehicle.scratch.path
        let daemon = try Daemon(
            [
                "run", "--drive", path + "/parked.drive", "--speed", "300", "--exit-at-end", "--events",
                path + "/events", "--config", vehicle.config,
            ], log: URL(fileURLWithPath: path + "/log"))
        #expect(daemon.wait() == 0, "\(daemon.logged)")
        let records = try vehicle.scratch.lines(of: "events").map { line in
            try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }.filter { $0["event"] as? String == "record" }
        func count(_ kind: String, _ span: ClosedRange<Double>) -> Int {
            records.count { $0["kind"] as? String == kind && span.contains($0["t"] as? Double ?? .nan) }
        }
        #expect(count("location", 0...850) >= 1 && count("ping", 0...850) >= 1)
        let changes = records.compactMap { ($0["payload"] as? [String: Any])?["change"] as? String }
        #expect(changes.contains("supplyLow") == isLow, "\(changes)")
        // The voltage falls after 900 s.
        #expect((count("location", 1060...2700) == 0) == isLow)
        #expect((count("ping", 1060...2700) == 0) == isLow)
    }

    /// Returns a recording of a parked vehicle whose battery has this voltage from 900 s on.
    private static func recording(voltage: Double) throws -> String {
        let start = Timestamp(year: 2026, month: 1, day: 1)
        let encoder = JSONEncoder()
        let state = String(decoding: try encoder.encode(EngineState()), as: UTF8.self)
        let header = """
            {"recording":1,"time":\(start.milliseconds),"isTimeTrusted":true,"hasMotionSensor":false,"isIgnitionOn":false,\
            "state":\(state)}
            """
        var lines = [Data(header.utf8)]
        for second in 0..<2700 {
            let time = Duration.seconds(second)
            let fix = Fix(
                mode: .threeDimensional, time: start + time, coordinate: Coordinate(latitude: 52.52, longitude: 13.405),
                accuracy: Metres(4))
            lines.append(try encoder.encode(RecordedEvent(.fix(fix), at: time)))
            guard second.isMultiple(of: 30) else { continue }
            let supply = Event.supply(Volts(second < 900 ? 12.6 : voltage))
            lines.append(try encoder.encode(RecordedEvent(supply, at: time)))
        }
        return lines.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined()
    }
}
