import Compatibility
import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("A vehicle that shunts in a yard")
struct ShuntingTests {
    @Test(
        "Radar's presets stop when all fixes of the last 140 s lie within 70 m, although the vehicle shunts.",
        arguments: ["continuous", "responsive", "efficient", "continuous-ios", "responsive-ios"])
    func presets(name: String) throws {
        let (effects, stop) = try shunt(try #require(Profile.named(name)).options)
        // The vehicle enters the yard at 160 s. About 140 s later, the rule has only fixes in the yard and close to it.
        #expect(try #require(stop) >= 290 && stop ?? 0 <= 310)
        #expect(effects.reasons.contains("all fixes of the last 140 s lie within 70 m"))
    }

    @Test(
        "Profiles whose rules require rest or an average speed do not stop while the vehicle shunts.",
        arguments: ["vehicle", "trckr"])
    func others(name: String) throws {
        let (_, stop) = try shunt(try #require(Profile.named(name)).options)
        #expect(stop == nil)
    }

    @Test("If the place rule requires rest, its stop names the rest as the reason.")
    func reason() throws {
        var world = World { $0.stopTimeout = .seconds(3600) }
        world.park()
        world.drive(from: 100, seconds: 60)
        let effects = world.stand(from: 160, seconds: 300, vibrates: true)
        #expect(effects.reasons.contains("at rest for 200 s, with all fixes within 70 m"))
    }

    @Test("A vehicle that has crept within one place rests again, so the place rule stops it 200 s later.")
    func creeping() {
        var world = World { $0.stopTimeout = .seconds(3600) }
        world.park()
        world.drive(from: 100, seconds: 60)
        world.stand(from: 160, seconds: 174, vibrates: true)
        for second in 334...336 {
            let fix = Samples.fix(Double(second), east: world.east + Double(second - 333) * 2, speed: 2.6)
            _ = world.tell(.fix(fix), at: Double(second))
        }
        world.stand(from: 337, seconds: 199, vibrates: true)
        #expect(world.engine.isMoving)
        world.stand(from: 536, seconds: 3, vibrates: true)
        #expect(!world.engine.isMoving)
    }

    @Test("A tractor that ploughs furrows of 70 m at 5 km/h does not stop, although it rests at each end.")
    func furrows() {
        var world = World { $0.stopTimeout = .seconds(3600) }
        world.park()
        world.drive(from: 100, seconds: 60)
        for second in 160..<2160 {
            _ = world.tell(.motion(MotionVerdict(isMoving: true)), at: Double(second))
            let phase = Double((second - 160) % 118)
            let isTurning = phase >= 50 && phase < 59 || phase >= 109
            let east = min(phase, 50, max(0, 109 - phase)) * 1.4
            let fix = Samples.fix(Double(second) + 0.5, east: world.east + east, speed: isTurning ? 0.2 : 1.4)
            _ = world.tell(.fix(fix), at: Double(second) + 0.5)
        }
        #expect(world.engine.isMoving)
    }

    /// Drives 600 m, then back and forth for 300 s; returns the effects while the vehicle shunts, and the second of the first
    /// stop.
    private func shunt(_ options: TrackingOptions) throws -> (effects: [Effect], stop: Int?) {
        var world = World { $0 = options }
        world.park()
        var effects = world.drive(from: 100, seconds: 60)
        #expect(world.engine.isMoving)
        effects = []
        for second in 160..<460 {
            // The vehicle moves from 0 to 30 m and back at 2 m/s.
            let phase = Double((second - 160) % 30) * 2
            let east = 600 + min(phase, 60 - phase)
            effects += world.tell(.motion(MotionVerdict(isMoving: true)), at: Double(second))
            effects += world.tell(
                .fix(Samples.fix(Double(second) + 0.5, east: east, speed: 2)), at: Double(second) + 0.5)
            if !world.engine.isMoving { return (effects, second) }
        }
        return (effects, nil)
    }
}

@Suite("A vehicle with a stopped geofence")
struct StoppedGeofenceTests {
    @Test(
        "Motion at any speed inside the stopped geofence starts no trip, but leaving the geofence does.",
        arguments: [(40.0, 5.0, false), (95, 12, false), (150, 5, true)])
    func inside(metres: Double, speed: Double, isDeparture: Bool) throws {
        var world = World { $0 = Profile.named("responsive")?.options ?? $0 }
        world.park()
        var effects: [Effect] = []
        var east = 0.0
        for second in 100..<200 {
            let isDriving = east < metres
            east = min(metres, east + speed)
            effects += world.tell(.motion(MotionVerdict(isMoving: isDriving)), at: Double(second))
            let fix = Samples.fix(Double(second) + 0.5, east: east, speed: isDriving ? speed : 0)
            effects += world.tell(.fix(fix), at: Double(second) + 0.5)
        }
        #expect(effects.contains(.state(isMoving: true)) == isDeparture)
        #expect(effects.compactMap(\.record).contains { $0.kind == .motionchange } == isDeparture)
    }
}

extension [Effect] {
    fileprivate var reasons: [String] {
        compactMap { if case .decided(let decision) = $0 { decision.text } else { nil } }
    }
}
