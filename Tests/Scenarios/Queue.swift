import Quantities
import Recordings
import TestSupport
import Testing
import Tracking

@Suite("Traffic queue")
struct Queue {
    /// Vibration is weaker at walking pace.
    private static let creeping = VibrationProfile(0.2...0.45)

    private func queue(seed: UInt64, hop: Metres, every pause: Duration, hops: Int) -> (
        parked: Scenario, arrived: Scenario
    ) {
        let parked = Scenario(seed: seed, rate: 10).park(for: .minutes(2))
        var queue = parked.drive(.kilometres(1))
        for _ in 0..<hops {
            queue = queue.stand(for: pause).drive(hop, at: MetresPerSecond(3), vibration: Self.creeping)
        }
        return (parked, queue.drive(.kilometres(0.7)))
    }

    @Test("A queue that advances by several car lengths every half minute is no stop.", arguments: seeds)
    func stopAndGo(seed: UInt64) {
        let (parked, arrived) = queue(seed: seed, hop: Metres(25), every: .seconds(20), hops: 16)
        expectOneTrip(arrived.park(for: .minutes(4)).run(vehicle), from: parked, to: arrived)
    }

    @Test("A queue that advances by one car length every half minute is no stop.", arguments: seeds)
    func crawling(seed: UInt64) {
        let (parked, arrived) = queue(seed: seed, hop: Metres(8), every: .seconds(24), hops: 16)
        expectOneTrip(arrived.park(for: .minutes(4)).run(vehicle), from: parked, to: arrived)
    }

    @Test("A queue that stands for slightly less than three minutes is no stop.", arguments: seeds)
    func standing(seed: UInt64) {
        let (parked, arrived) = queue(seed: seed, hop: Metres(150), every: .seconds(175), hops: 2)
        expectOneTrip(arrived.park(for: .minutes(4)).run(vehicle), from: parked, to: arrived)
    }

    /// A car with a start-stop system may creep with no more vibration than an idling engine causes.
    @Test(
        "A queue that advances by two car lengths a minute is no stop, even if cars creep smoothly.", arguments: seeds
    )
    func smooth(seed: UInt64) {
        let parked = Scenario(seed: seed, rate: 10).park(for: .minutes(2))
        var queue = parked.drive(.kilometres(1))
        for _ in 0..<40 {
            queue = queue.stand(for: .seconds(55)).drive(Metres(12), at: MetresPerSecond(2), vibration: .idling)
        }
        let arrived = queue.drive(.kilometres(0.7))
        expectOneTrip(arrived.park(for: .minutes(4)).run(vehicle), from: parked, to: arrived)
    }

    /// The sample rate of 1 Hz is too low for an accelerometer, so trackerd detects motion from the fixes.
    @Test("Without an accelerometer, a queue is no stop either.", arguments: seeds, [130, 175])
    func deaf(seed: UInt64, seconds: Int) {
        let parked = Scenario(seed: seed, rate: 1).park(for: .minutes(2))
        let arrived = parked.drive(.kilometres(1)).stand(for: .seconds(seconds)).drive(.kilometres(1))
        let run = arrived.park(for: .minutes(4)).run(vehicle)
        #expect(run.departures.count == 1 && run.arrivals.count == 1)
        expectStop(run, at: arrived)
    }
}
