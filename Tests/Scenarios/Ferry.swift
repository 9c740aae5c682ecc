import Quantities
import Recordings
import TestSupport
import Testing
import Tracking

/// The vehicle stands on a deck with its engine off, but its position changes, so trackerd records a trip.
@Suite("A ferry")
struct Ferry {
    private static let deck = VibrationProfile(0.12...0.35)

    private struct Crossing {
        let aboard: Scenario
        let ashore: Scenario
        let landed: Scenario
        let arrived: Scenario

        init(seed: UInt64, sky: SkyView, deck: VibrationProfile) {
            aboard = Scenario(seed: seed, rate: 10).park(for: .minutes(2)).drive(.kilometres(2)).park(for: .minutes(5))
                .sky(sky).drive(Metres(100), at: MetresPerSecond(3)).park(for: .minutes(10))
            ashore = aboard.carry(.kilometres(30), for: .minutes(90), vibration: deck)
            landed = ashore.sky(.open).park(for: .minutes(6))
            arrived = landed.drive(.kilometres(2))
        }

        func run() -> ScenarioRun { arrived.park(for: .minutes(5)).run(vehicle) }
    }

    @Test("A crossing on an open deck is a trip with points from shore to shore.", arguments: fewSeeds)
    func openDeck(seed: UInt64) {
        let crossing = Crossing(seed: seed, sky: .open, deck: Self.deck)
        let run = crossing.run()
        #expect(run.isMoving(at: crossing.aboard.end + .minutes(45)))
        #expect(run.departures(from: crossing.aboard, to: crossing.ashore) == 1)
        #expect(run.points(from: crossing.aboard, to: crossing.ashore).count > 50)
        expectStop(run, at: crossing.ashore)
        expectDeparture(run, from: crossing.landed)
        expectStop(run, at: crossing.arrived)
        let odometer = run.engine.odometer
        #expect((odometer - crossing.arrived.travelled).magnitude < crossing.arrived.travelled * 0.02)
    }

    @Test(
        "A crossing below deck is also a trip, during which the receiver is off for a minute after each search.",
        arguments: fewSeeds)
    func belowDeck(seed: UInt64) {
        let crossing = Crossing(seed: seed, sky: .none, deck: Self.deck)
        let run = crossing.run()
        #expect(run.departures(from: crossing.aboard, to: crossing.ashore) == 1)
        #expect(run.receiverShare(from: crossing.aboard, to: crossing.ashore) < 0.75)
        #expect(run.receiverPauses(from: crossing.aboard, to: crossing.ashore).starts(with: [30, 60, 60, 60]))
        #expect(
            crossing.landed.distance(to: run.motionchanges.last { $0.time < crossing.arrived.end }?.value.position)
                <= Metres(30))
        expectStop(run, at: crossing.arrived)
        #expect(run.engine.odometer > crossing.aboard.distance(to: crossing.arrived) * 0.95)
    }

    @Test(
        "On a deck without vibration the receiver remains off, and the next trip begins where the vehicle goes ashore.",
        arguments: fewSeeds)
    func stillDeck(seed: UInt64) {
        let crossing = Crossing(seed: seed, sky: .none, deck: .rest)
        let run = crossing.run()
        #expect(run.departures(from: crossing.aboard, to: crossing.landed) == 0)
        #expect(run.receiverTime(from: crossing.aboard.end, to: crossing.landed.end) == .zero)
        let anchor = run.motionchanges.last { $0.value.isMoving }
        #expect((anchor?.time ?? .zero) - crossing.landed.end <= .seconds(10))
        #expect(anchor?.value.trigger == .movedUnseen)
        #expect(crossing.landed.distance(to: anchor?.value.position) <= Metres(60))
        expectStop(run, at: crossing.arrived)
        #expect((run.engine.odometer - .kilometres(4)).magnitude < Metres(250))
    }

    @Test(
        "After six hours on a deck without vibration, a position check finds that the vehicle was moved unseen.",
        arguments: fewSeeds)
    func longCrossing(seed: UInt64) throws {
        let aboard = Scenario(seed: seed, rate: 10).park(for: .minutes(2)).drive(.kilometres(2)).park(for: .minutes(10))
        let ashore = aboard.carry(.kilometres(200), for: .minutes(8 * 60), vibration: .rest)
        let landed = ashore.park(for: .minutes(20))
        let run = landed.run(vehicle)
        #expect(run.departures(from: aboard, to: ashore) == 1)
        let start = try #require(run.motionchanges.first { $0.value.isMoving && $0.time > aboard.end })
        #expect(start.value.trigger == .movedUnseen && start.value.event == "moved")
        #expect(aboard.distance(to: start.value.position) > .kilometres(100))
        #expect((start.time - aboard.end).magnitude <= .minutes(6 * 60))
        #expect(run.decisions.contains { $0.value.text.hasPrefix("moved unseen") })
        expectStop(run, at: ashore)
        #expect(run.engine.odometer < .kilometres(80))
    }
}
