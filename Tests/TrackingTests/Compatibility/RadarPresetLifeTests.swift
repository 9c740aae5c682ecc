import Compatibility
import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("A vehicle under Radar's presets")
struct RadarPresetLifeTests {
    @Test("Radar's CONTINUOUS reports every 30 s, parked and on a trip.", arguments: ["continuous", "continuous-ios"])
    func continuous(name: String) throws {
        var world = try world(name)
        world.park()
        for due in [30.0, 60] {
            #expect(world.tell(.timer(.update), at: due).contains(.arm(.update, at: .at(due + 30))))
            #expect(world.tell(.fix(Samples.fix(due + 1)), at: due + 1).points.count == 1)
        }
        let driven = world.drive(from: 100, seconds: 300).points.map(\.time)
        // The departure at 100 s is also a record.
        #expect(driven.count == 9)
        #expect(zip(driven, driven.dropFirst()).allSatisfy { $1 - $0 == .seconds(30) })
    }

    @Test(
        "Radar's RESPONSIVE shuts down at a stop, and wakes up after more than 100 m.",
        arguments: ["responsive", "responsive-ios"])
    func responsive(name: String) throws {
        var world = try world(name)
        world.park()
        let moved = world.tell(.motion(MotionVerdict(isMoving: true)), at: 100)
        #expect(moved.contains(.receiver(isOn: true)) && !moved.contains(.state(isMoving: true)))
        for second in 101...102 {
            _ = world.tell(.fix(Samples.fix(Double(second), east: 99, speed: 0)), at: Double(second))
        }
        #expect(!world.engine.isMoving)
        for second in 103...104 {
            _ = world.tell(.fix(Samples.fix(Double(second), east: 106, speed: 0)), at: Double(second))
        }
        #expect(world.engine.isMoving)

        var other = try self.world(name)
        other.park()
        other.drive(from: 100, seconds: 60)
        let stopped = other.stand(from: 160, seconds: 301)
        #expect(!other.engine.isMoving)
        #expect(other.engine.status.receiverOnSince == nil)
        #expect(!stopped.contains { if case .arm(.update, _) = $0 { true } else { false } })
    }

    @Test("Radar's EFFICIENT on iOS reports only stops and departures, as visits.")
    func efficient() throws {
        var world = try world("efficient-ios")
        world.park()
        _ = world.drive(from: 100, seconds: 30)
        #expect(world.drive(from: 130, seconds: 300).points.isEmpty)
        let visits = world.stand(from: 430, seconds: 301).compactMap(\.record).filter { $0.kind == .visit }
        #expect(visits.count == 1)
        #expect(visits.first?.isStop == true)
    }

    private func world(_ name: String) throws -> World {
        let options = try #require(Profile.named(name)).options
        return World { $0 = options }
    }
}

extension [Effect] {
    fileprivate var points: [Record] { compactMap(\.record).filter { $0.kind == .location } }
}
