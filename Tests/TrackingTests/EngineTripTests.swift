import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("Trips in the engine")
struct EngineTripTests {
    private static let order = TripReport(externalID: "T-17")

    @Test("A trip started by hand sets a parked vehicle to moving, and has an external ID and its own number.")
    func started() throws {
        var world = World()
        world.park()
        let effects = world.tell(.command(.startTrip(Self.order)), at: 50)
        #expect(effects.contains(.state(isMoving: true)) && effects.contains(.receiver(isOn: true)))
        #expect(effects.compactMap(\.record).map(\.kind) == [.trip, .motionchange])
        #expect(effects.compactMap(\.record).map(\.trip) == [1, 1])
        world.drive(from: 61, seconds: 20)
        _ = world.tell(.command(.stay), at: 90)
        let report = try #require(world.tell(.command(.endTrip), at: 100).ends.first)
        #expect(report.externalID == "T-17" && report.number == 1)
        #expect((try #require(report.summary).distance.value - 200).magnitude < 1)
    }

    @Test("A trip started by hand continues if the vehicle does not move; the rules for stops still park the vehicle.")
    func doesNotMove() throws {
        var world = World()
        world.park()
        _ = world.tell(.command(.startTrip(Self.order)), at: 50)
        let stood = world.stand(from: 51, seconds: 300)
        #expect(stood.contains(.state(isMoving: false)) && stood.contains(.receiver(isOn: false)))
        #expect(!stood.compactMap(\.record).contains { $0.kind == .trip })
        #expect(world.engine.state.logbook.trips.isDeclared && world.engine.state.logbook.trips.number == 1)
        #expect(world.tell(.command(.endTrip), at: 400).ends.count == 1)
        #expect(!world.engine.state.logbook.trips.isDeclared)
    }

    @Test(
        "The end of a trip started by hand parks a vehicle that stands, without another trip.",
        arguments: [false, true])
    func endsAtRest(hasDriven: Bool) throws {
        var world = World()
        world.park()
        _ = world.tell(.command(.startTrip(Self.order)), at: 50)
        if hasDriven { world.drive(from: 51, seconds: 60) }
        _ = world.stand(from: 111, seconds: 20)
        #expect(world.engine.isMoving)
        let effects = world.tell(.command(.endTrip), at: 132)
        #expect(effects.contains(.state(isMoving: false)) && effects.ends.map(\.number) == [1])
        #expect(!effects.compactMap(\.record).dropFirst().contains { $0.kind == .trip })
        #expect(!world.engine.isMoving && world.engine.state.logbook.trips.count == 1)
    }

    @Test("A trip started by hand that ends on the way is followed by another trip.")
    func endsOnTheWay() {
        var world = World()
        world.park()
        _ = world.tell(.command(.startTrip(Self.order)), at: 50)
        world.drive(from: 51, seconds: 60)
        #expect(world.tell(.command(.endTrip), at: 112).ends.map(\.number) == [1])
        #expect(world.engine.isMoving && world.engine.state.logbook.trips.count == 2)
    }

    @Test("A trip started by hand confirms a start that was in doubt.")
    func confirms() {
        var world = World()
        world.park()
        _ = world.tell(.motion(MotionVerdict(isMoving: true)), at: 100)
        _ = world.tell(.fix(Samples.fix(101)), at: 101)
        let effects = world.tell(.command(.startTrip(Self.order)), at: 110)
        #expect(effects.compactMap(\.record).map(\.kind) == [.trip])
        #expect(!world.tell(.timer(.falseStart), at: 161).contains(.state(isMoving: false)))
        #expect(world.engine.state.logbook.trips.count == 1)
    }

    @Test("A trip started by hand while tracking is off begins, and the vehicle remains parked.")
    func suspended() {
        var world = World()
        world.park()
        _ = world.tell(.command(.tracking(isOn: false)), at: 50)
        let effects = world.tell(.command(.startTrip(Self.order)), at: 60)
        #expect(effects.compactMap(\.record).map(\.kind) == [.trip])
        #expect(!world.engine.isMoving && world.engine.state.logbook.trips.isDeclared)
    }

    @Test(
        "A repeated command to start a trip changes nothing, and reports the trip.", arguments: [false, true])
    func startedTwice(isParked: Bool) {
        var world = World()
        world.park()
        _ = world.tell(.command(.startTrip(Self.order)), at: 50)
        if isParked { _ = world.tell(.command(.stay), at: 60) }
        let before = world.engine.state
        let again = world.tell(.command(.startTrip(Self.order)), at: 70)
        #expect(again == [.decided(Decision(.request, "trip `T-17` is already under way"))])
        #expect(world.engine.state == before)
        let other = world.tell(.command(.startTrip(TripReport(externalID: "T-18"))), at: 80)
        #expect(other.ends.map(\.externalID) == ["T-17"])
        #expect(world.engine.state.logbook.trips.count == 2)
    }

    @Test("A false start during tripGap changes neither the place nor the time of the waiting trip's end.")
    func falseStartInGap() throws {
        var world = gapped()
        // The engine of the vehicle is off.
        for second in [210.0, 221] { _ = world.tell(.motion(MotionVerdict(isMoving: false)), at: second) }
        _ = world.tell(.motion(MotionVerdict(isMoving: true)), at: 300)
        #expect(world.engine.isMoving)
        let parked = try #require(world.engine.state.logbook.parked).coordinate
        let east = try #require(Samples.home).distance(to: parked).value
        _ = world.tell(.fix(Samples.fix(301, east: east)), at: 301)
        // A timer may fire late. Here, the timer of the gap fires although the engine has cancelled it.
        #expect(world.tell(.timer(.tripGap), at: 302).compactMap(\.record).isEmpty)
        let back = world.tell(.timer(.falseStart), at: 361)
        #expect(back.contains(.state(isMoving: false)) && back.contains(.arm(.tripGap, at: .at(800))))
        let ended = try #require(world.tell(.timer(.tripGap), at: 800).ends.first?.summary)
        #expect(ended.ended == Samples.start + .seconds(200) && ended.stops == 0)
    }

    @Test("A trip that ends when tripGap is over states its own end, driver and tag.")
    func toldLate() throws {
        var world = gapped()
        _ = world.tell(.command(.tag("later")), at: 500)
        let record = try #require(world.tell(.timer(.tripGap), at: 900).compactMap(\.record).first)
        #expect(record.kind == .trip && !record.isMoving && record.isTimeTrusted)
        #expect(record.time == Samples.start + .seconds(200))
        #expect(record.vehicle == "Van 1" && record.driver == "Ada" && record.tag == "day")
        #expect(record.position == world.engine.state.logbook.parked)
    }

    @Test("A trip that ends because the next one begins states its own end, driver and tag, also after a restart.")
    func toldByTheNext() throws {
        var world = gapped()
        world.engine = Engine(world.engine.configuration, restoring: world.engine.state)
        _ = world.tell(.wallClock(Samples.start + .seconds(850), isTrusted: true), at: 850)
        let record = try #require(world.tell(.command(.move), at: 850).compactMap(\.record).first)
        #expect(record.kind == .trip && !record.isMoving && record.trip == 1)
        #expect(record.time == Samples.start + .seconds(200))
        #expect(record.vehicle == "Van 1" && record.driver == "Ada" && record.tag == "day")
    }

    @Test("A trip ended by hand while the vehicle is parked states its driver, and ends at the moment of the command.")
    func endedByHand() throws {
        var world = named()
        _ = world.tell(.command(.startTrip(Self.order)), at: 100)
        drive(&world, from: 100)
        _ = world.tell(.command(.stay), at: 200)
        let record = try #require(world.tell(.command(.endTrip), at: 500).compactMap(\.record).first)
        #expect(record.time == Samples.start + .seconds(500))
        #expect(record.vehicle == "Van 1" && record.driver == "Ada")
    }

    /// Returns a vehicle that has arrived at 200 s, driven by Ada, with a tripGap of ten minutes.
    private func gapped() -> World {
        var world = named()
        _ = world.tell(.command(.tag("day")), at: 50)
        drive(&world, from: 100)
        #expect(world.tell(.command(.stay), at: 200).contains(.arm(.tripGap, at: .at(800))))
        return world
    }

    /// Returns a parked vehicle with a tripGap of ten minutes, and beacons for itself and its driver.
    private func named() -> World {
        var world = World()
        var options = Profile.vehicle.options
        options.tripGap = .seconds(600)
        options.beacons = true
        var setup = EngineConfiguration(options: options)
        setup.markedBeacons = [
            MarkedBeacon(Samples.beacon(1), name: "Van 1", role: .vehicle),
            MarkedBeacon(Samples.beacon(2), name: "Ada", role: .driver),
        ]
        world.engine = Engine(setup)
        _ = world.tell(.wallClock(Samples.start, isTrusted: true), at: 0)
        world.park()
        return world
    }

    private func drive(_ world: inout World, from start: Int) {
        world.drive(from: start, seconds: 10)
        for minor: UInt16 in [1, 2] { _ = world.tell(.beacon(Samples.sighting(minor)), at: Double(start) + 10) }
        world.drive(from: start + 10, seconds: 50)
    }
}

extension [Effect] {
    fileprivate var ends: [TripReport] {
        compactMap {
            guard case .trip(let report)? = $0.record?.content, report.summary != nil else { return nil }
            return report
        }
    }
}
