import Quantities
import Recordings
import TestSupport
import Testing
import Tracking

@Suite("Underground garage")
struct Garage {
    private struct Stay {
        let door: Scenario
        let arrived: Scenario
        let parked: Scenario

        init(seed: UInt64) {
            door = Scenario(seed: seed, rate: 10).park(for: .minutes(2)).drive(.kilometres(1)).sky(.none)
            arrived = door.drive(Metres(60), at: MetresPerSecond(4))
            parked = arrived.park(for: .minutes(15))
        }
    }

    @Test("A stop in a garage is recorded at the garage's door, and the receiver is off.", arguments: seeds)
    func arrival(seed: UInt64) throws {
        let stay = Stay(seed: seed)
        let run = stay.parked.run(vehicle)
        #expect(run.departures.count == 1 && run.arrivals.count == 1)
        let stop = try #require(run.motionchanges.last)
        #expect(!stop.value.isMoving)
        #expect(stop.time - stay.arrived.end <= .seconds(190))
        #expect(stay.door.distance(to: stop.value.position) <= Metres(10))
        #expect((stop.value.time - stay.arrived.date).magnitude <= .seconds(5))
        #expect(run.receiverTime(from: stop.time, to: stay.parked.end) == .zero)
    }

    @Test("A drive out of a garage is detected at once, and has points from the door on.", arguments: seeds)
    func departure(seed: UInt64) throws {
        let stay = Stay(seed: seed)
        let outside = stay.parked.drive(Metres(60), at: MetresPerSecond(4)).sky(.open)
        let arrived = outside.drive(.kilometres(2))
        let run = arrived.park(for: .minutes(4)).run(vehicle)
        expectDeparture(run, from: stay.parked, within: 75)
        let first = try #require(run.points(from: stay.parked, to: arrived).first)
        #expect(outside.distance(to: first.position) <= Metres(50))
        expectStop(run, at: arrived)
    }

    @Test(
        "A theft from a garage is recorded without a fix, and the receiver is switched off again.", arguments: seeds)
    func theft(seed: UInt64) {
        let stay = Stay(seed: seed)
        let gone = stay.parked.carry(.kilometres(15), for: .minutes(20), vibration: .road)
        let over = gone.park(for: .minutes(6))
        let run = over.run(vehicle)
        expectDeparture(run, from: stay.parked, within: 75)
        #expect(run.arrivals(from: stay.parked, to: gone) == 0)
        #expect(run.receiverPauses(from: stay.parked, to: gone).starts(with: [30, 60, 60, 60]))
        #expect(run.receiverShare(from: stay.parked, to: gone) < 0.75)
        #expect(!run.isMoving(at: over.end))
        #expect(run.trips.count == 2)
    }
}
