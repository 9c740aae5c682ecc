import Compatibility
import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

/// The ignition switches the supply, so the power ends seconds after the vehicle stops.
@Suite("A supply that the ignition switches")
struct InterruptedTripTests {
    private var world = World()
    private var records: [Record] = []
    private var east = 0.0
    /// The seconds from the first boot to this one.
    private var ahead = 0.0

    init() { restart(after: 0, at: 0) }

    @Test(
        "Each drive is a trip that ends where and when the power ended.", arguments: [400.0, 3_600, 28_800],
        [false, true])
    mutating func nights(off: Double, drivesAtOnce: Bool) throws {
        stand(from: 0, seconds: 40)
        for drives in 1...3 {
            drive(from: 50, seconds: 300)
            stand(from: 350, seconds: 6)
            let (ended, place) = (ahead + 350, east)
            restart(after: off, at: 356)
            if drivesAtOnce { east += 60 } else { stand(from: 5, seconds: 40) }
            if drivesAtOnce { drive(from: 5, seconds: 10) }
            try expectTrips(drives, ended: ended, at: place)
        }
    }

    @Test(
        "A trip goes on after a short interruption, or a longer one on the road.",
        arguments: [(20.0, 0.0), (100, 0), (170, 900), (400, 7_500)])
    mutating func goesOn(off: Double, way: Double) {
        stand(from: 0, seconds: 40)
        drive(from: 50, seconds: 300, at: 20)
        restart(after: off, at: 350)
        east += way
        drive(from: 5, seconds: 60, at: 20)
        #expect(world.engine.isMoving)
        #expect(trips.isEmpty && !records.contains { $0.kind == .motionchange && !$0.isMoving && $0.trip != nil })
    }

    @Test("A vehicle that was carried meanwhile is parked at its last place, and then where it is found.")
    mutating func carried() throws {
        stand(from: 0, seconds: 40)
        drive(from: 50, seconds: 300)
        stand(from: 350, seconds: 6)
        let place = east
        restart(after: 28_800, at: 356)
        east += 30_000
        stand(from: 5, seconds: 60)
        try expectTrips(1, ended: 350, at: place)
        #expect(world.engine.odometer.value < 3100)
        #expect(records.last { $0.kind == .motionchange }?.trigger == .movedUnseen)
    }

    @Test("In a garage without fixes, the clock of a time server dates the stop.")
    mutating func garage() throws {
        stand(from: 0, seconds: 40)
        tell(.motionSensor(isThere: true), at: 49)
        drive(from: 50, seconds: 300)
        let (ended, place) = (ahead + 350, east)
        restart(after: 28_800, at: 350)
        tell(.motionSensor(isThere: true), at: 0)
        tell(.wallClock(Samples.start + Duration(inSeconds: ahead + 2), isTrusted: true), at: 2)
        tell(.motion(MotionVerdict(isMoving: false)), at: 3)
        tell(.timer(.stillness), at: 184)
        tell(.timer(.fixTimeout), at: 304)
        try expectTrips(1, ended: ended, at: place)
    }

    @Test("A second power cut before the first fix does not hide the stop.")
    mutating func cranking() throws {
        stand(from: 0, seconds: 40)
        drive(from: 50, seconds: 300)
        let (ended, place) = (ahead + 350, east)
        restart(after: 28_800, at: 350)
        tell(.wallClock(Samples.start + Duration(inSeconds: ahead + 2), isTrusted: true), at: 2)
        restart(after: 10, at: 3)
        stand(from: 5, seconds: 5)
        try expectTrips(1, ended: ended, at: place)
    }

    private var trips: [TripSummary] {
        records.compactMap { record in
            if case .trip(let report) = record.content { report.summary } else { nil }
        }
    }

    private func expectTrips(_ count: Int, ended: Double, at east: Double) throws {
        #expect(trips.count == count)
        let trip = try #require(trips.last)
        #expect((trip.ended - (Samples.start + Duration(inSeconds: ended))).magnitude <= .seconds(90))
        let there = try #require(Samples.home?.moved(east: Metres(east), north: .zero))
        #expect(try #require(trip.end).distance(to: there) < Metres(500))
        #expect(trip.withoutFix < .seconds(60))
        let stop = try #require(records.last { $0.kind == .motionchange && !$0.isMoving && $0.trip == count })
        #expect(stop.time == trip.ended)
    }

    /// Starts the program again, with its stored state and without a clock.
    private mutating func restart(after off: Double, at seconds: Double) {
        ahead += seconds + off
        world.engine = Engine(Profile.vehicle.options, restoring: stored ?? EngineState())
        tell(.motionSensor(isThere: false), at: 0)
        tell(.started, at: 0)
    }

    private var stored: EngineState?

    /// Handles an event; only a record writes the state to the disk.
    private mutating func tell(_ event: Event, at seconds: Double) {
        let new = world.tell(event, at: seconds).compactMap(\.record)
        records += new
        if !new.isEmpty { stored = world.engine.state }
    }

    private mutating func drive(from begin: Int, seconds: Int, at speed: Double = 10) {
        for second in begin..<(begin + seconds) {
            if world.engine.status.hasMotionSensor { tell(.motion(MotionVerdict(isMoving: true)), at: Double(second)) }
            tell(.fix(Samples.fix(ahead + Double(second), east: east, speed: speed)), at: Double(second))
            east += speed
        }
    }

    private mutating func stand(from begin: Int, seconds: Int) {
        for second in begin..<(begin + seconds) {
            tell(.fix(Samples.fix(ahead + Double(second), east: east)), at: Double(second))
        }
    }
}
