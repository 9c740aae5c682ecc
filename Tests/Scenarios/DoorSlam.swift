import Quantities
import TestSupport
import Testing
import Tracking

@Suite("Door slam")
struct DoorSlam {
    @Test("A slammed door starts no trip, and the receiver looks for a second at most.", arguments: 1...UInt64(20))
    func once(seed: UInt64) {
        let parked = Scenario(seed: seed).park(for: .seconds(30))
        var day = parked
        for _ in 0..<6 { day = day.slamDoor().park(for: .seconds(30)) }
        let run = day.run(vehicle)
        #expect(run.departures == [])
        #expect(run.receiverTime(from: parked.end, to: day.end) <= .seconds(6))
    }

    @Test("Repeated door slams start no trip, and the receiver is off a minute after the last slam.", arguments: seeds)
    func loading(seed: UInt64) {
        let parked = Scenario(seed: seed).park(for: .minutes(2)).drive(.kilometres(1)).park(for: .minutes(5))
        var loaded = parked
        for _ in 0..<12 { loaded = loaded.slamDoor() }
        let over = loaded.park(for: .seconds(75))
        let run = over.park(for: .minutes(5)).run(vehicle)
        #expect(!run.isMoving(at: over.end))
        #expect(run.trips.count == 1)
        #expect(parked.distance(to: run.engine.state.logbook.parked) <= Metres(10))
        #expect((run.engine.odometer - parked.travelled).magnitude < Metres(20))
        #expect(run.receiverTime(from: over.end, to: run.length) == .zero)
    }
}
