import Quantities
import TestSupport
import Testing

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
