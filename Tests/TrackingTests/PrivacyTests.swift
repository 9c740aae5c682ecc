import Calendar
import Foundation
import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("Private times and places")
struct PrivacyTests {
    /// A circle of 100 m whose centre is 400 m east of the parked place.
    private static let circle = Samples.home.map {
        PrivatePlace(centre: $0.moved(east: Metres(400), north: .zero), radius: Metres(100))
    }

    @Test("A trip ends before a private place, and a new trip begins after the private place.")
    func drivesThrough() throws {
        var world = try Self.world(places: true)
        world.park()
        let odometer = world.engine.odometer
        let records = world.drive(from: 100, seconds: 60).compactMap(\.record)
        let began = try #require(records.firstIndex { Self.change(of: $0) == .privacyBegan })
        let ended = try #require(records.firstIndex { Self.change(of: $0) == .privacyEnded })
        #expect(records[began...ended].allSatisfy { $0.position == nil && !$0.isMoving && $0.trip == nil })
        #expect(records[began...ended].map(\.kind).allSatisfy { $0 == .health })
        #expect(records.compactMap(Self.east).allSatisfy { $0 < 296 || $0 > 504 })

        let trips = records.compactMap { record -> TripReport? in
            if case .trip(let report) = record.content { report } else { nil }
        }
        #expect(trips.map(\.number) == [1, 1, 2])
        let first = try #require(trips[1].summary)
        #expect(try #require(first.end.map { Self.east(of: $0) }) > 270)
        // The odometer also counts the private part; the trips do not.
        #expect(world.engine.odometer - odometer > Metres(560))
        #expect(first.distance < Metres(300))
        #expect(records[ended...].contains { $0.kind == .location && $0.trip == 2 })
    }

    @Test("A stop in a private place leaves no trace but the odometer, and the next trip begins outside of the place.")
    func stopsInside() throws {
        var world = try Self.world(places: true)
        world.park()
        _ = world.drive(from: 100, seconds: 38)
        let odometer = world.engine.odometer
        let inside = world.stand(from: 138, seconds: 400).compactMap(\.record)
        #expect(!world.engine.isMoving && world.engine.isPrivate)
        #expect(inside.isEmpty)
        #expect(world.engine.status.lastKnownLocation == nil && world.engine.status.privacyReasons == [.place])
        #expect(world.engine.odometer - odometer < Metres(20))

        let records = world.drive(from: 1000, seconds: 60).compactMap(\.record)
        #expect(!world.engine.isPrivate)
        #expect(records.compactMap(Self.east).allSatisfy { $0 > 504 })
        let begins = try #require(records.first { $0.kind == .trip })
        #expect(try #require(Self.east(begins)) < 560 && begins.trip == 2)
        let parked = world.stand(from: 1060, seconds: 400).compactMap(\.record)
        for case .trip(let report) in parked.map(\.content) {
            let start = try #require(report.summary?.start)
            #expect(Self.east(of: start) > 504)
        }
        #expect(parked.contains { $0.kind == .motionchange })
    }

    @Test("Options that end with the trip leave no position when a private period ends it.")
    func optionsOfTrip() throws {
        var world = try Self.world()
        let onTrip = OptionLayer(
            .remote, name: "server", onTrip: true, [.init("desiredSyncInterval", .seconds(0), source: "")])
        _ = world.tell(.options(.remote, [onTrip]), at: 1)
        world.park()
        _ = world.drive(from: 100, seconds: 60)
        let declared = world.tell(.command(.startTrip(TripReport())), at: 160).compactMap(\.record)
        #expect(declared.contains { $0.kind == .optionschange && $0.position != nil })
        let records = world.tell(.command(.privacy(isOn: true)), at: 161).compactMap(\.record)
        let began = try #require(records.firstIndex { Self.change(of: $0) == .privacyBegan })
        #expect(records[began...].contains { $0.kind == .optionschange })
        #expect(records[began...].allSatisfy { $0.position == nil })
    }

    @Test("In a private time there is no position, and the record after it shows where the vehicle is parked.")
    func privateTime() throws {
        var world = try Self.world(times: "5-19 0 * * *")
        world.park()
        var records = world.tell(.timer(.privacy), at: 300).compactMap(\.record)
        #expect(records.map(Self.change) == [.privacyBegan])
        #expect(world.engine.status.privacyReasons == [.time])
        #expect(world.engine.status.privacyEnd(at: .at(300)) == Samples.start + .seconds(1200))
        records = (world.drive(from: 400, seconds: 60) + world.stand(from: 460, seconds: 400)).compactMap(\.record)
        #expect(!world.engine.isMoving && world.engine.odometer > Metres(500))
        #expect(records.isEmpty)
        records = world.tell(.timer(.privacy), at: 1200).compactMap(\.record)
        #expect(records.map(\.kind) == [.health, .motionchange])
        #expect(try #require(records.last.flatMap(Self.east)) > 500)
        // The vehicle arrived in the private time, so the record has the time of its end.
        #expect(records.last?.time == Samples.start + .seconds(1200))
        #expect(world.engine.state.logbook.trips.count == 0)
    }

    @Test("If a private time ends during a drive, a trip begins at the first fix after it.")
    func endsDuringDrive() throws {
        var world = try Self.world(times: "0-4 0 * * *")
        world.park()
        #expect(world.drive(from: 270, seconds: 30).compactMap(\.record).isEmpty)
        #expect(world.engine.isMoving && world.engine.status.lastKnownLocation == nil)
        let records = world.drive(from: 300, seconds: 30).compactMap(\.record)
        #expect(records.first.flatMap(Self.change) == .privacyEnded)
        #expect(records.compactMap(Self.east).allSatisfy { $0 > 300 })
        let trip = try #require(records.first { $0.kind == .trip })
        #expect(trip.trip == 1 && trip.time >= Samples.start + .seconds(300))
        #expect(records.contains { $0.kind == .location })
    }

    @Test("A private period by command survives a restart, and ends after its duration.")
    func command() throws {
        var world = try Self.world()
        world.park()
        let records = world.tell(.command(.privacy(isOn: true, lasting: .seconds(7200))), at: 100)
        #expect(records.compactMap(\.record).map(Self.change) == [.privacyBegan])
        let disk = try JSONEncoder().encode(world.engine.state)
        world.engine = Engine(
            world.engine.configuration, restoring: try JSONDecoder().decode(EngineState.self, from: disk))
        // The clock is wrong, and not trusted yet.
        _ = world.tell(.wallClock(Samples.start + .seconds(86_400), isTrusted: false), at: 0)
        let starts = world.tell(.started, at: 0)
        #expect(world.engine.isPrivate && starts.allSatisfy { $0.record?.position == nil })
        // This clock cannot end the period, so no timer waits for the end.
        let isArmed = starts.contains { if case .arm(.privacy, _) = $0 { true } else { false } }
        #expect(!isArmed)
        let set = world.tell(.wallClock(Samples.start + .seconds(300), isTrusted: true), at: 10)
        #expect(world.engine.isPrivate && set.contains(.arm(.privacy, at: .at(10 + 7000))))
        #expect(world.tell(.fix(Samples.fix(305)), at: 15).allSatisfy { $0.record?.position == nil })
        let ends = world.tell(.timer(.privacy), at: 7010).compactMap(\.record)
        #expect(!world.engine.isPrivate && ends.map(\.kind) == [.health, .motionchange])
    }

    @Test("While the clock is not trusted after a restart, a private time continues.")
    func untrusted() throws {
        var world = try Self.world(times: "0-4 0 * * *")
        world.park()
        #expect(world.engine.isPrivate)
        world.engine = Engine(world.engine.configuration, restoring: world.engine.state)
        _ = world.tell(.wallClock(Samples.start + .seconds(3600), isTrusted: false), at: 0)
        _ = world.tell(.started, at: 0)
        #expect(world.engine.isPrivate)
        _ = world.tell(.fix(Samples.fix(3600)), at: 5)
        #expect(!world.engine.isPrivate)
    }

    @Test("Alarms and faults are still recorded in a private period, but without position, trip and ignition.")
    func alarms() throws {
        var world = try Self.world()
        world.park()
        _ = world.tell(.command(.privacy(isOn: true)), at: 10)
        let events: [Event] = [
            .ignition(isOn: true), .power(.supplyLost), .storage(fault: "the disk is full"),
            .command(.startTrip(TripReport())), .command(.locate(LocationRequest())),
        ]
        let records = events.enumerated().flatMap { world.tell($1, at: 20 + Double($0)) }.compactMap(\.record)
        #expect(records.map(\.kind) == [.power, .health])
        #expect(records.allSatisfy { $0.position == nil && $0.trip == nil && $0.ignition == nil && !$0.isMoving })
    }

    @Test("A request that waits when a private period begins receives no position.")
    func waitingRequest() throws {
        var world = try Self.world()
        world.park()
        _ = world.tell(.command(.locate(LocationRequest())), at: 100)
        _ = world.tell(.command(.privacy(isOn: true)), at: 101)
        let answer = try #require(world.tell(.fix(Samples.fix(110)), at: 110).compactMap(\.record).first)
        guard case .request(let outcome) = answer.content else { Issue.record("\(answer)"); return }
        #expect(answer.position == nil && outcome.failure == RequestAnswer.isPrivate)
    }

    @Test("In a private period, servers of regions do not receive the position.")
    func regionSync() throws {
        var world = try Self.world { $0.syncGeofences = true }
        world.park()
        let queries = world.tell(.command(.privacy(isOn: true)), at: 100).compactMap { effect -> RegionQuery? in
            if case .fetchRegions(let query) = effect { query } else { nil }
        }
        #expect(queries.count == 1 && queries.allSatisfy { $0.place == nil })
    }

    private static func world(
        places: Bool = false, times: String? = nil, _ change: (inout TrackingOptions) -> Void = { _ in }
    ) throws -> World {
        var world = World {
            $0.privateTimes = times.flatMap { Crontab($0) }
            $0.desiredMovingUpdateInterval = .seconds(5)
            change(&$0)
        }
        var setup = world.engine.configuration
        if places { setup.privatePlaces = [try #require(circle)] }
        world.engine = Engine(setup)
        _ = world.tell(.wallClock(Samples.start, isTrusted: true), at: 0)
        return world
    }

    private static func change(of record: Record) -> HealthChange? {
        if case .health(let report) = record.content { report.change } else { nil }
    }

    /// Returns how far a record's position is east of the parked place, in metres; nil without a position.
    private static func east(_ record: Record) -> Double? { record.position.map { east(of: $0.coordinate) } }

    private static func east(of place: Coordinate) -> Double { Samples.home?.distance(to: place).value ?? .nan }
}
