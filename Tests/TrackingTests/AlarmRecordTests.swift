import Foundation
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("Records that serve as alarms")
struct AlarmRecordTests {
    /// Drives at 10 m/s for 30 s; `limit` is in m/s.
    private static func drive(limit: Double) -> [Record] {
        var world = World { $0.speedLimit = MetresPerSecond(limit) }
        world.park()
        var effects = world.drive(from: 100, seconds: 30)
        effects += world.stand(from: 130, seconds: 20)
        return effects.compactMap(\.record).filter { $0.kind == .driving }
    }

    @Test("Overspeed is recorded with its end during a trip, without the option `drivingEvents`.")
    func overspeed() {
        let records = Self.drive(limit: 8)
        #expect(records.map(\.event) == ["overspeed", "overspeedEnded"])
        #expect(records.allSatisfy { $0.isMoving && $0.position != nil && $0.trip == 1 })
        guard case .driving(let ended)? = records.last?.content else { return }
        #expect(ended.topSpeed == MetresPerSecond(10) && ended.limit == MetresPerSecond(8))
        #expect((.seconds(25) ... .seconds(30)).contains(ended.lasted))
    }

    @Test("Without overspeed there is no record of it.", arguments: [0, 9.9])
    func withinLimit(limit: Double) {
        #expect(Self.drive(limit: limit).isEmpty)
    }

    @Test("A vehicle that stops by command ends its overspeed before the arrival.")
    func stop() {
        var world = World { $0.speedLimit = MetresPerSecond(8) }
        world.park()
        world.drive(from: 100, seconds: 20)
        let records = world.tell(.command(.stay), at: 121).compactMap(\.record)
        #expect(records.first?.event == "overspeedEnded" && records.dropFirst().contains { $0.event == "arrived" })
        #expect(records.count { $0.kind == .driving } == 1)
    }

    @Test("The engine's state on disk contains a period of overspeed, so a restart does not report it again.")
    func restart() throws {
        var world = World { $0.speedLimit = MetresPerSecond(8) }
        world.park()
        world.drive(from: 100, seconds: 20)
        let data = try JSONEncoder().encode(world.engine.state)
        let state = try JSONDecoder().decode(EngineState.self, from: data)
        #expect(state.safety.overspeed == world.engine.state.safety.overspeed && state.safety.overspeed != nil)
        var options = Profile.vehicle.options
        options.speedLimit = MetresPerSecond(8)
        world.engine = Engine(EngineConfiguration(options: options), restoring: state)
        let records = world.drive(from: 121, seconds: 20).compactMap(\.record).filter { $0.kind == .driving }
        #expect(records.isEmpty)
    }

    /// Sends one level of jamming per second during a trip; returns each change with its second and its level.
    private static func jam(_ levels: [Int?], limit: Int = 128) -> [String] {
        var world = World { $0.jammingLevel = limit }
        world.park()
        world.drive(from: 100, seconds: 5)
        var events: [String] = []
        for (second, level) in levels.enumerated() {
            // A jammed receiver has no fix.
            var fix = Fix(mode: .noFix)
            fix.jamming = level
            for record in world.tell(.fix(fix), at: Double(110 + second)).compactMap(\.record) {
                guard case .providerchange(let change) = record.content, let level = change.jamming else { continue }
                events.append("\(change.state) at \(second) s, level \(level)")
            }
        }
        return events
    }

    @Test("A receiver is jammed after a minute at the level, and no longer jammed after a minute below it.")
    func jamming() {
        let levels = Array(repeating: 10, count: 20) + Array(repeating: 128, count: 100)
        #expect(
            Self.jam(levels + Array(repeating: 127, count: 100)) == [
                "jammed at 80 s, level 128", "jammingEnded at 180 s, level 127",
            ])
    }

    @Test("A lower level, a gap of more than 30 s in the reports, and the limit 0 prevent the record of jamming.")
    func noJamming() {
        let high = Array(repeating: Int?.some(200), count: 60)
        #expect(Self.jam(high + [127] + high).isEmpty)
        #expect(Self.jam(high + Array(repeating: nil, count: 31) + high).isEmpty)
        #expect(Self.jam(high + Array(repeating: nil, count: 29) + high) == ["jammed at 89 s, level 200"])
        #expect(Self.jam(high + high, limit: 0).isEmpty)
        #expect(Self.jam(Array(repeating: 256, count: 120)).isEmpty)
    }

    @Test("The event of a departure after an unseen move is `moved`.")
    func moved() {
        var record = Record(
            .motionchange, time: Samples.start, isTimeTrusted: true, position: nil, isMoving: true, odometer: .zero,
            trip: nil)
        #expect(record.event == "departed")
        record.trigger = .movedUnseen
        #expect(record.event == "moved")
        record.isMoving = false
        #expect(record.event == "arrived")
    }
}
