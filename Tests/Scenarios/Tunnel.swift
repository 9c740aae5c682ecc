import Quantities
import Recordings
import TestSupport
import Testing
import Tracking

@Suite("Road tunnel")
struct Tunnel {
    @Test(
        "A tunnel of a minute is no stop, and the odometer counts its length.", arguments: seeds,
        [VibrationProfile.road, .motorway])
    func short(seed: UInt64, road: VibrationProfile) {
        let parked = Scenario(seed: seed, rate: 10).park(for: .minutes(2))
        let inside = parked.drive(.kilometres(0.8)).sky(.none)
        let outside = inside.carry(.kilometres(1.3), for: .seconds(60), vibration: road).sky(.open)
        let arrived = outside.drive(.kilometres(1))
        let run = arrived.park(for: .minutes(4)).run(vehicle)
        expectOneTrip(run, from: parked, to: arrived)
        #expect(run.receiverPauses(from: parked, to: arrived).isEmpty)
        let way = parked.distance(to: inside) + inside.distance(to: outside) + outside.distance(to: arrived)
        #expect(run.engine.odometer > way * 0.97)
    }

    @Test(
        "A tunnel of twenty minutes is no stop, and the receiver is off for parts of it.", arguments: seeds,
        [VibrationProfile.road, .motorway])
    func long(seed: UInt64, road: VibrationProfile) {
        let parked = Scenario(seed: seed, rate: 10).park(for: .minutes(2))
        let inside = parked.drive(.kilometres(0.8)).sky(.none)
        let outside = inside.carry(.kilometres(24), for: .minutes(20), vibration: road).sky(.open)
        let arrived = outside.carry(.kilometres(12), for: .minutes(10), vibration: road).drive(.kilometres(1))
        let run = arrived.park(for: .minutes(4)).run(vehicle)
        expectOneTrip(run, from: parked, to: arrived)
        #expect(run.receiverPauses(from: inside, to: outside).starts(with: [30, 60, 60, 60]))
        #expect(run.receiverShare(from: inside, to: outside) < 0.75)
        #expect(run.points(from: outside, to: arrived).count > 10)
        let seen = run.records.first { $0.time >= outside.end && $0.value.kind == .location }
        #expect((seen?.time ?? run.length) - outside.end <= .seconds(65))
    }

    @Test("A tunnel of eight minutes that shakes the vehicle as little as a car park is no stop.", arguments: seeds)
    func smooth(seed: UInt64) {
        let parked = Scenario(seed: seed, rate: 10).park(for: .minutes(2))
        let inside = parked.drive(.kilometres(0.8)).carry(.kilometres(2), for: .seconds(90), vibration: .road).sky(
            .none)
        let outside = inside.carry(.kilometres(10.5), for: .minutes(8), vibration: .rest).sky(.open)
        let arrived = outside.carry(.kilometres(2), for: .seconds(90), vibration: .road).drive(.kilometres(1))
        expectOneTrip(arrived.park(for: .minutes(4)).run(vehicle), from: parked, to: arrived)
    }

    @Test("A queue of two minutes in a tunnel is no stop.", arguments: seeds)
    func queue(seed: UInt64) {
        let parked = Scenario(seed: seed, rate: 10).park(for: .minutes(2))
        let arrived = parked.drive(.kilometres(0.8)).sky(.none)
            .drive(.kilometres(0.5)).stand(for: .minutes(2)).drive(.kilometres(0.5)).sky(.open).drive(.kilometres(1))
        expectOneTrip(arrived.park(for: .minutes(4)).run(vehicle), from: parked, to: arrived)
    }
}
