import Compatibility
import Foundation
import Motion
import Quantities
import TestSupport
import Testing
import TrackingOptions

@testable import Tracking

@Suite("The odometer after a glitch of the receiver")
struct GlitchTests {
    @Test(
        "A glitch does not change the odometer, except one within 1 km that lasts three seconds or more.",
        arguments: [300.0, 2e3, 1e5], [1, 3, 9, 15, 40])
    func there(metres: Double, seconds: Int) {
        var world = World()
        world.park()
        world.drive(from: 100, seconds: 60)
        let before = world.engine.odometer.value
        for second in 160..<(160 + seconds) {
            _ = world.tell(.fix(Samples.fix(Double(second), east: 600, north: metres, speed: 0)), at: Double(second))
        }
        world.stand(from: 160 + seconds, seconds: 20)
        let grown = world.engine.odometer.value - before
        // If a glitch is within 1 km, the filter accepts its third fix, because the vehicle may really be at the new place.
        #expect(grown >= 0 && grown < (metres < 1000 && seconds >= 3 ? 700 : 20))
    }

    @Test("After a glitch, the odometer counts the distance from the place before the glitch.")
    func drivenMeanwhile() {
        var world = World()
        world.park()
        world.drive(from: 100, seconds: 60)
        var fix = Samples.fix(0)
        for second in 160..<180 {
            fix = Samples.fix(Double(second), east: 1e5 + Double(second) * 10, speed: 10)
            _ = world.tell(.fix(fix), at: Double(second))
        }
        for second in 180..<220 {
            fix = Samples.fix(Double(second), east: Double(second - 100) * 10, speed: 10)
            _ = world.tell(.fix(fix), at: Double(second))
        }
        // The driven distance is 1190 m; the accepted wrong fixes are up to 100 m apart from each other.
        #expect((1150.0...1300).contains(world.engine.odometer.value))
    }

    @Test("The odometer never counts faster than 100 m/s, whatever the fixes are.", arguments: 0..<20)
    func bounded(seed: Int) {
        var generator = SplitMix(seed: UInt64(seed))
        var world = World()
        world.park()
        let offsets: [Double] = [0, 0, 0, 150, 900, 5000, 1e5, 5e6]
        var north = 0.0
        for second in 10..<600 {
            if generator.next() % 15 == 0 { north = offsets[Int(generator.next() % 8)] }
            let fix = Samples.fix(
                Double(second), east: Double(second), north: north, speed: Double(generator.next() % 30))
            _ = world.tell(.fix(fix), at: Double(second))
            // The fixes at both ends of a step have errors of 4 m.
            #expect(world.engine.odometer.value <= 108 * Double(second), "seed \(seed)")
        }
    }
}

@Suite("The odometer after a receiver has corrected itself")
struct CorrectionTests {
    private var world = World()
    private var driven = 0.0

    @Test(
        "Corrections of the receiver on one drive add nothing from one to the next, whenever they come.",
        arguments: [50.0, 200, 900, 2000], [70, 300, 3600])
    mutating func sameDrive(offset: Double, pause: Int) {
        world.park()
        var second = 100
        for _ in 0..<4 {
            second = drive(from: second, seconds: pause)
            second = correctedDrive(from: second + 20, offset: offset)
        }
        _ = drive(from: second, seconds: 60)
        expectDistance(within: 4 * (offset + 100))
    }

    @Test("A correction adds nothing after a parked night, nor after a restart.", arguments: [false, true])
    mutating func nextDay(isRestarted: Bool) throws {
        world.park()
        var second = correctedDrive(from: drive(from: 100, seconds: 600) + 20, offset: 200)
        second = drive(from: second, seconds: 10)
        stand(from: second, seconds: 200)
        second += 30_000
        if isRestarted {
            let stored = try JSONEncoder().encode(world.engine.state)
            let state = try JSONDecoder().decode(EngineState.self, from: stored)
            world.engine = Engine(Profile.vehicle.options, restoring: state)
            _ = world.tell(.motionSensor(isThere: true), at: Double(second))
            _ = world.tell(.started, at: Double(second))
        }
        for later in [second, second + 1] {
            _ = world.tell(.fix(Samples.fix(Double(later), east: driven)), at: Double(later))
        }
        second = correctedDrive(from: drive(from: second + 60, seconds: 600) + 20, offset: 200)
        _ = drive(from: second, seconds: 60)
        expectDistance(within: 700)
    }

    private mutating func stand(from begin: Int, seconds: Int) {
        for second in begin..<(begin + seconds) {
            _ = world.tell(.fix(Samples.fix(Double(second), east: driven)), at: Double(second))
            _ = world.tell(.motion(MotionVerdict(isMoving: false)), at: Double(second))
            _ = world.tell(.timer(.stillness), at: Double(second) + 0.9)
        }
    }

    private func expectDistance(within tolerance: Double) {
        let distance = world.engine.odometer.value
        #expect((distance - driven).magnitude < tolerance, "\(distance) m counted, \(driven) m driven")
    }

    /// Drives at 20 m/s; the fixes are `offset` metres north of the vehicle.
    private mutating func drive(from begin: Int, seconds: Int, offset: Double = 0) -> Int {
        for second in begin..<(begin + seconds) {
            _ = world.tell(.motion(MotionVerdict(isMoving: true)), at: Double(second))
            driven += 20
            let fix = Samples.fix(Double(second) + 0.5, east: driven, north: offset, speed: 20)
            _ = world.tell(.fix(fix), at: Double(second) + 0.5)
        }
        return begin + seconds
    }

    /// Drives out of a tunnel of 400 m: the first fixes are wrong by `offset` metres, then the receiver corrects itself.
    private mutating func correctedDrive(from begin: Int, offset: Double) -> Int {
        driven += 400
        return drive(from: drive(from: begin, seconds: 30, offset: offset), seconds: 30)
    }
}
