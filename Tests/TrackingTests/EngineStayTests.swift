import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("Stops, visits and the trip gap")
struct EngineStayTests {
    @Test("If visits are on, a stop and the next departure are recorded as the arrival and departure of a visit.")
    func visits() {
        var world = World { $0.useVisits = true }
        world.park()
        var records = world.drive(from: 100, seconds: 60).compactMap(\.record)
        records += world.stand(from: 160, seconds: 300).compactMap(\.record)
        records += world.tell(.ignition(isOn: true), at: 5000).compactMap(\.record)
        #expect(
            records.visits == [
                Visit(arrived: Samples.start + .seconds(1), departed: Samples.start + .seconds(100)),
                Visit(arrived: Samples.start + .seconds(160)),
                Visit(arrived: Samples.start + .seconds(160), departed: Samples.start + .seconds(5000)),
            ])
    }

    @Test("A stop makes no visit if visits are off.")
    func noVisits() {
        var world = World()
        world.park()
        var records = world.drive(from: 100, seconds: 60).compactMap(\.record)
        records += world.stand(from: 160, seconds: 300).compactMap(\.record)
        #expect(records.visits.isEmpty)
    }

    @Test("A drive with a stop shorter than tripGap is one trip.")
    func shortStop() throws {
        var world = gapped()
        #expect(world.tell(.command(.move), at: 400).compactMap(\.record).map(\.kind) == [.motionchange])
        world.drive(from: 401, seconds: 20)
        _ = world.tell(.command(.stay), at: 430)
        let ended = world.tell(.timer(.tripGap), at: 1030).compactMap(\.record)
        #expect(try ended.summary().stops == 1)
        #expect(world.engine.state.logbook.trips.count == 1)
    }

    @Test("A drive with a stop longer than tripGap is two trips; the first is reported as soon as tripGap is over.")
    func longStop() throws {
        var world = gapped()
        #expect(world.tell(.timer(.tripGap), at: 400).compactMap(\.record).isEmpty)
        let ended = world.tell(.timer(.tripGap), at: 900).compactMap(\.record)
        #expect(try ended.summary().ended == Samples.start + .seconds(200))
        #expect(world.tell(.command(.move), at: 1000).compactMap(\.record).last?.trip == 2)
    }

    @Test("After a restart during the stop, the trip is reported when tripGap is over.")
    func restartInStop() throws {
        var world = gapped()
        var options = Profile.vehicle.options
        options.tripGap = .seconds(600)
        world.engine = Engine(options, restoring: world.engine.state)
        _ = world.tell(.wallClock(Samples.start + .seconds(500), isTrusted: true), at: 500)
        let timers = world.tell(.started, at: 500)
        let due = timers.compactMap { if case .arm(.tripGap, let moment) = $0 { moment } else { nil } }
        #expect(due.count == 1)
        let ended = world.engine.handle(.timer(.tripGap), at: try #require(due.first)).compactMap(\.record)
        #expect(try ended.summary().ended == Samples.start + .seconds(200))
    }

    @Test("The last fix before a stop is recorded as a point of the track, even within distanceFilter.")
    func lastFix() throws {
        var world = World { $0.distanceFilter = Metres(5000) }
        world.park()
        var records = world.drive(from: 100, seconds: 60).compactMap(\.record)
        records += world.tell(.command(.stay), at: 170).compactMap(\.record)
        let last = try #require(records.last { $0.kind == .location })
        #expect(last.time == Samples.start + .milliseconds(159_500))
    }

    @Test("The last fix before the loss of the sky view is recorded, and so is the first fix of a later search.")
    func lostSky() throws {
        var world = World { $0.distanceFilter = Metres(5000) }
        world.park()
        world.drive(from: 100, seconds: 60)
        let rest = world.tell(.timer(.fixTimeout), at: 280)
        #expect(
            rest.compactMap(\.record).filter { $0.kind == .location }.map(\.time) == [
                Samples.start + .milliseconds(159_500)
            ])
        let record = try #require(rest.firstIndex { $0.record != nil })
        #expect(record < (try #require(rest.firstIndex(of: .receiver(isOn: false)))))
        _ = world.tell(.timer(.acquire), at: 310)
        let found = world.tell(.fix(Samples.fix(320, east: 900, speed: 10, accuracy: 90)), at: 320)
        #expect(
            found.compactMap(\.record).filter { $0.kind == .location }.map(\.time) == [Samples.start + .seconds(320)])
    }

    /// Returns a vehicle that has arrived at 200 s, with a tripGap of ten minutes.
    private func gapped() -> World {
        var world = World { $0.tripGap = .seconds(600) }
        world.park()
        world.drive(from: 100, seconds: 60)
        let effects = world.tell(.command(.stay), at: 200)
        #expect(!effects.compactMap(\.record).contains { $0.kind == .trip })
        #expect(effects.contains(.arm(.tripGap, at: .at(800))))
        return world
    }
}

extension [Record] {
    fileprivate var visits: [Visit] {
        compactMap { if case .visit(let visit) = $0.content { visit } else { nil } }
    }

    fileprivate func summary() throws -> TripSummary {
        #expect(count == 1)
        guard case .trip(let report) = try #require(first).content else { throw NoTrip() }
        return try #require(report.summary)
    }
}

private struct NoTrip: Error {}
