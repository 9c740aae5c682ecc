import Quantities
import Recordings
import TestSupport
import Testing
import Tracking
import TrackingOptions

@Suite("Tow")
struct Tow {
    private struct Theft {
        let parked: Scenario
        let lifted: Scenario
        let left: Scenario

        init(seed: UInt64, ignition: Bool) {
            let arrived = Scenario(seed: seed, rate: 10).ignition(isOn: true).park(for: .minutes(1)).drive(
                .kilometres(1))
            parked = arrived.ignition(isOn: false).park(for: .minutes(5)).ignition(isOn: ignition)
            lifted = parked.carry(Metres(3), for: .seconds(40), vibration: VibrationProfile(0.2...0.6))
            left = lifted.carry(.kilometres(5), for: .minutes(8), vibration: VibrationProfile(0.15...0.4))
        }
    }

    @Test("A tow is a trip from the parked place to the place where the vehicle is set down.", arguments: seeds)
    func trip(seed: UInt64) {
        let theft = Theft(seed: seed, ignition: false)
        let run = theft.left.park(for: .minutes(5)).run(vehicle)
        #expect(run.departures.count == 2 && run.arrivals.count == 2)
        expectDeparture(run, from: theft.parked)
        #expect(run.points(from: theft.lifted, to: theft.left).count > 10)
        expectStop(run, at: theft.left)
        #expect(!run.records.contains { $0.value.kind == .driving }, "driving events are off by default")
    }

    @Test(
        "A tow is reported only if driving events are enabled and the ignition is off.", arguments: fewSeeds,
        [false, true])
    func event(seed: UInt64, ignition: Bool) {
        var options = vehicle
        options.drivingEvents = true
        let theft = Theft(seed: seed, ignition: ignition)
        let run = theft.left.park(for: .minutes(1)).run(options)
        let tows = run.records.filter { record in
            if case .driving(let event) = record.value.content { event.kind == .tow } else { false }
        }
        #expect(tows.count == (ignition ? 0 : 1))
    }
}
