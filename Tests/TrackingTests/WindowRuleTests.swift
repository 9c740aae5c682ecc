import Quantities
import StopDetection
import TestSupport
import Testing

@testable import Tracking

@Suite("A stop by window")
struct WindowRuleTests {
    private var rule = StationaryWindow(interval: .seconds(120), distance: Metres(150), speed: MetresPerSecond(0.85))

    @Test("A stop by window is confirmed, with the place and time of arrival, as soon as the fixes fill the interval.")
    mutating func confirmed() throws {
        for second in 0..<60 {
            #expect(rule.confirmsStop(try Samples.accepted(Double(second), east: Double(second) * 10)) == nil)
        }
        var confirmed: (second: Int, location: Location)?
        for second in 60...200 where confirmed == nil {
            let fix = try Samples.accepted(Double(second), east: 600)
            confirmed = rule.confirmsStop(fix).map { (second, $0) }
        }
        // The window confirms the stop once it begins with the fix at 500 m, because a diagonal of 100 m in 120 s is
        // slower than 0.85 m/s.
        #expect(confirmed?.second == 170)
        #expect(confirmed?.location == Location(try Samples.accepted(59, east: 590)))
    }

    @Test(
        "A stop by window is not confirmed while the vehicle continues, however slowly.",
        arguments: [(0.8, true), (0.9, false)])
    mutating func crawl(speed: Double, isStop: Bool) throws {
        var isConfirmed = false
        for second in 0..<600 {
            let fix = try Samples.accepted(Double(second), north: Double(second) * speed)
            isConfirmed = rule.confirmsStop(fix) != nil || isConfirmed
        }
        #expect(isConfirmed == isStop)
    }

    @Test("A stop by window uses fixes no older than the interval, to the second.")
    mutating func noFurther() throws {
        _ = rule.confirmsStop(try Samples.accepted(0, east: 5000))
        #expect(rule.confirmsStop(try Samples.accepted(10)) == nil)
        #expect(rule.confirmsStop(try Samples.accepted(129)) == nil)
        #expect(rule.confirmsStop(try Samples.accepted(130)) == Location(try Samples.accepted(130)))
    }

    @Test("A stop by window is never confirmed with an interval of 0.")
    func off() throws {
        var rule = StationaryWindow(interval: .zero, distance: Metres(150), speed: MetresPerSecond(0.85))
        #expect(rule.confirmsStop(try Samples.accepted(0)) == nil)
        #expect(rule.confirmsStop(try Samples.accepted(10_000)) == nil)
    }

    @Test("The interval of a stop by window starts again after a correction of the date.")
    mutating func dateMended() throws {
        _ = rule.confirmsStop(try Samples.accepted(5000))
        #expect(rule.confirmsStop(try Samples.accepted(0)) == nil)
        #expect(rule.confirmsStop(try Samples.accepted(119)) == nil)
        #expect(rule.confirmsStop(try Samples.accepted(120)) != nil)
    }

    @Test("A stop by window is confirmed exactly when `stationary(locations:)` finds a stationary location.")
    func agreement() throws {
        var (stops, fixes) = (0, 0)
        for seed in 0..<30 {
            var generator = SplitMix(seed: UInt64(seed))
            let interval = Duration.seconds(Int.random(in: 1...300, using: &generator))
            let distance = Metres(Double.random(in: 5...200, using: &generator))
            let speed = MetresPerSecond(Double.random(in: 0.1...3, using: &generator))
            var rule = StationaryWindow(interval: interval, distance: distance, speed: speed)
            var all: [Location] = []
            for fix in try drive(&generator, from: seed % 4 == 0 ? 180 : 7) {
                all.append(Location(fix))
                let expected = stationary(locations: all, interval: interval, distance: distance, speed: speed)
                let confirmed = rule.confirmsStop(fix)
                if confirmed != expected { Issue.record("seed \(seed) at \(fix.time)") }
                stops += confirmed == nil ? 0 : 1
                fixes += 1
            }
        }
        // At least a tenth of the fixes must confirm a stop, and at least a tenth must not.
        #expect(stops > fixes / 10 && stops < fixes * 9 / 10)
    }

    /// Returns the fixes of a vehicle that stands, creeps and drives in turn, mostly one per second.
    private func drive(_ generator: inout SplitMix, from longitude: Double) throws -> [AcceptedFix] {
        let latitude = Double.random(in: -80...80, using: &generator)
        let origin = try #require(Coordinate(latitude: latitude, longitude: longitude))
        var (seconds, pace, east, north) = (0.0, 0.0, 0.0, 0.0)
        var fixes: [AcceptedFix] = []
        for _ in 0..<300 {
            if generator.next() % 40 == 0 { pace = [0, 0, 0.5, 5].randomElement(using: &generator) ?? 0 }
            let step = generator.next() % 30 == 0 ? Double.random(in: 1...200, using: &generator) : 1
            seconds += step
            east += pace * step * Double.random(in: -1...2, using: &generator)
            north += pace * step * Double.random(in: -1...1, using: &generator)
            let place = origin.moved(
                east: Metres(east + .random(in: -3...3, using: &generator)),
                north: Metres(north + .random(in: -3...3, using: &generator)))
            let errors: [Metres?] = [nil, Metres(4), Metres(4), Metres(12), Metres(80)]
            let fix = Fix(
                mode: .threeDimensional, time: Samples.start + Duration(inSeconds: seconds), coordinate: place,
                accuracy: errors[Int.random(in: errors.indices, using: &generator)])
            fixes.append(try #require(AcceptedFix(fix)))
        }
        return fixes
    }
}

@Suite("The bounds of the latest numbers")
struct SlidingBoundsTests {
    @Test("The bounds of the latest numbers agree with a search through all of these numbers.", arguments: 0..<20)
    func model(seed: Int) {
        var generator = SplitMix(seed: UInt64(seed))
        var bounds = SlidingBounds()
        var numbers: [Double] = []
        #expect(bounds.range == nil)
        for _ in 0..<500 {
            if generator.next() % 5 < 3 {
                numbers.append(Double(generator.next() % 20))
                bounds.append(numbers[numbers.count - 1])
            } else {
                numbers = Array(numbers.dropFirst())
                bounds.removeFirst()
            }
            if bounds.range?.lowerBound != numbers.min() || bounds.range?.upperBound != numbers.max() {
                Issue.record("seed \(seed)")
            }
        }
    }
}
