import Motion
import Quantities
import Testing

@Suite("The noise floor")
struct NoiseFloorTests {
    @Test("The noise floor is nil until one minute of windows has passed.")
    func early() {
        var level = NoiseFloor.Level()
        for _ in 0..<59 { level.learn(Acceleration(0.05)) }
        #expect(level.level == nil)
        level.learn(Acceleration(0.05))
        #expect(level.level != nil)
    }

    @Test("Nine of ten windows are below the noise floor.", arguments: [(0.02, 0.04), (0.05, 0.15)])
    func quantile(low: Double, high: Double) throws {
        var level = NoiseFloor.Level()
        // The levels are evenly distributed between both limits, in random order.
        level.learn(Acceleration(high))
        for index in 0..<2000 { level.learn(Acceleration(low + (high - low) * Double(index * 7919 % 1000) / 1000)) }
        let expected = low + (high - low) * 0.9
        #expect(abs(try #require(level.level).value - expected) < (high - low) * 0.1)
    }

    @Test("The noise floor ignores a single knock, and follows a remounted chip within minutes.")
    func robust() throws {
        var level = NoiseFloor.Level()
        for _ in 0..<500 { level.learn(Acceleration(0.05)) }
        level.learn(Acceleration(30))
        #expect(try #require(level.level) < Acceleration(0.053))
        for _ in 0..<300 { level.learn(Acceleration(0.2)) }
        #expect(try #require(level.level) > Acceleration(0.18))
    }

    @Test("The noise floor recovers from a loud start within minutes.")
    func loudBeginning() throws {
        var level = NoiseFloor.Level()
        level.learn(Acceleration(0.19))
        for _ in 0..<60 { level.learn(Acceleration(0.03)) }
        #expect(try #require(level.level) < Acceleration(0.05))
        for _ in 0..<100 { level.learn(Acceleration(0.3)) }
        for _ in 0..<1500 { level.learn(Acceleration(0.03)) }
        #expect(try #require(level.level) < Acceleration(0.05))
    }

    @Test("The noise floor of a chip with constant readings is nil.")
    func silent() {
        var level = NoiseFloor.Level()
        for _ in 0..<100 { level.learn(.zero) }
        #expect(level.level == .zero)
    }
}
