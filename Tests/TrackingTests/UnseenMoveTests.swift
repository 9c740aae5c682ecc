import Compatibility
import Motion
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("A vehicle that was carried, or driven while the tracker was off")
struct UnseenMoveTests {
    private var world = World()
    private var records: [Record] = []
    private var east = 0.0

    @Test(
        "A vehicle that drives off a ferry begins its trip on the far side, without the kilometres at sea.",
        arguments: [3_000.0, 19_000, 96_000], [false, true])
    mutating func ferry(metres: Double, isIgnition: Bool) throws {
        world.park()
        east = metres
        let start: Event = isIgnition ? .ignition(isOn: true) : .motion(MotionVerdict(isMoving: true))
        tell(start, at: 10_000)
        drive(from: 10_002, seconds: 60)
        stand(from: 10_062, seconds: 190)
        try expectTrip(from: metres, length: 600)
        #expect(records.contains { $0.trigger == .movedUnseen && distance($0.position?.coordinate, metres) < 30 })
    }

    @Test(
        "A vehicle that was moved while the tracker was off begins its trip where it was found.",
        arguments: [(19_000.0, 0), (19_000, 10), (31_400, 60), (58_000, 150), (9_000, 20)], [false, true])
    mutating func trackerOff(move: (metres: Double, standing: Int), hasSensor: Bool) throws {
        world.park()
        restart(hasSensor: hasSensor, at: 40_000)
        east = move.metres
        stand(from: 40_002, seconds: move.standing)
        #expect(!world.engine.isMoving)
        #expect(!records.contains { $0.isMoving })
        if move.standing > 40 {
            let stop = try #require(records.last { $0.kind == .motionchange })
            #expect(stop.trigger == .movedUnseen && distance(stop.position?.coordinate, move.metres) < 5)
        }
        let begin = 40_002 + move.standing
        tell(.timer(.check), at: Double(begin))
        drive(from: begin, seconds: 300)
        stand(from: begin + 300, seconds: 210)
        try expectTrip(from: move.metres, length: 3000)
    }

    @Test("Without an accelerometer, a vehicle in a ferry's hold is found on the far side.", arguments: [0, 12, 60])
    mutating func hold(standing: Int) throws {
        restart(hasSensor: false, at: 0)
        for second in 0...1 { tell(.fix(Samples.fix(Double(second))), at: Double(second)) }
        for check in 0..<10 {
            let begin = 100 + Double(check) * 700
            tell(.timer(.check), at: begin)
            tell(.timer(.fixTimeout), at: begin + 500)
        }
        east = 40_000
        tell(.timer(.check), at: 7_100)
        stand(from: 7_101, seconds: standing)
        tell(.timer(.check), at: Double(7_101 + standing))
        drive(from: 7_102 + standing, seconds: 300)
        stand(from: 7_402 + standing, seconds: 210)
        try expectTrip(from: 40_000, length: 3000)
    }

    @Test("A drive that is seen late counts from the parked place.", arguments: [30, 100, 240])
    mutating func seenLate(seconds: Int) throws {
        restart(hasSensor: false, at: 0)
        for second in 0...1 { tell(.fix(Samples.fix(Double(second))), at: Double(second)) }
        tell(.timer(.check), at: Double(seconds + 1))
        east = Double(seconds) * 20
        drive(from: seconds + 2, seconds: 300)
        stand(from: seconds + 302, seconds: 210)
        try expectTrip(from: 0, length: Double(seconds) * 20 + 3000)
        #expect(!records.contains { $0.trigger == .movedUnseen })
    }

    @Test("Motion on the ramp of a ferry, without a drive, parks the vehicle on the far side, without a trip.")
    mutating func ramp() throws {
        world.park()
        east = 19_000
        tell(.motion(MotionVerdict(isMoving: true)), at: 10_000)
        for second in 10_002..<10_070 {
            tell(.fix(Samples.fix(Double(second), east: east)), at: Double(second))
        }
        tell(.timer(.falseStart), at: 10_070)
        #expect(!world.engine.isMoving)
        #expect(world.engine.odometer.value < 20)
        #expect(!records.contains { $0.kind == .trip })
        #expect(distance(world.engine.state.logbook.parked?.coordinate, 19_000) < 5)
    }

    private mutating func restart(hasSensor: Bool, at seconds: Double) {
        world.engine = Engine(Profile.vehicle.options, restoring: world.engine.state)
        tell(.motionSensor(isThere: hasSensor), at: seconds)
        tell(.started, at: seconds)
    }

    private mutating func tell(_ event: Event, at seconds: Double) {
        records += world.tell(event, at: seconds).compactMap(\.record)
    }

    private mutating func drive(from begin: Int, seconds: Int) {
        for second in begin..<(begin + seconds) {
            if world.engine.status.hasMotionSensor { tell(.motion(MotionVerdict(isMoving: true)), at: Double(second)) }
            tell(.fix(Samples.fix(Double(second) + 0.5, east: east, speed: 10)), at: Double(second) + 0.5)
            east += 10
        }
    }

    private mutating func stand(from begin: Int, seconds: Int) {
        for second in begin..<(begin + seconds) {
            tell(.fix(Samples.fix(Double(second) + 0.5, east: east)), at: Double(second) + 0.5)
            if world.engine.status.hasMotionSensor {
                tell(.motion(MotionVerdict(isMoving: false)), at: Double(second) + 0.6)
            }
            if world.engine.isMoving { tell(.timer(.stillness), at: Double(second) + 0.9) }
        }
    }

    private func expectTrip(from east: Double, length: Double) throws {
        let ends = records.compactMap { record -> TripSummary? in
            if case .trip(let report) = record.content { report.summary } else { nil }
        }
        #expect(ends.count == 1)
        let trip = try #require(ends.last)
        #expect(distance(trip.start, east) < 60)
        #expect((trip.distance.value - length).magnitude < 60, "\(trip.distance)")
        #expect((world.engine.odometer.value - length).magnitude < 60)
    }

    private func distance(_ place: Coordinate?, _ east: Double) -> Double {
        guard let place, let there = Samples.home?.moved(east: Metres(east), north: .zero) else { return .infinity }
        return place.distance(to: there).value
    }
}
