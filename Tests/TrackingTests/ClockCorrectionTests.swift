import TrackingOptions
import Calendar
import Quantities
import Testing
import Tracking

/// The board of the vehicle has no clock chip, and the system clock is a day behind until the first fix reports the time.
@Suite("The correction of times recorded before the clock was set")
struct ClockCorrectionTests {
    private static let behind = Duration.seconds(86_400)

    @Test("The first accepted fix causes the correction of stored records, once.")
    func storedRecords() {
        var world = Self.vehicle()
        _ = world.tell(.command(.move), at: 50)
        _ = world.tell(.fix(Samples.fix(61)), at: 61)
        let effects = world.tell(.fix(Samples.fix(62)), at: 62)
        #expect(effects.corrections == [Correction(before: .at(62), by: Self.behind)])
        #expect(world.tell(.fix(Samples.fix(63)), at: 63).corrections.isEmpty)
    }

    @Test("A trip that began before the clock was right is reported with its true start.")
    func startOfTrip() throws {
        var world = Self.vehicle()
        let started = try #require(world.tell(.command(.move), at: 50).compactMap(\.record).first { $0.kind == .trip })
        #expect(started.time == Samples.start - Self.behind + .seconds(50) && !started.isTimeTrusted)
        world.drive(from: 61, seconds: 60)
        let trip = try #require(world.tell(.command(.stay), at: 200).trips.first)
        #expect(trip.started == Samples.start + .seconds(50))
        #expect(trip.ended == Samples.start + .seconds(200))
    }

    @Test("A trip that ended before the clock was right, and waits for its gap, is reported with its true times.")
    func endOfTrip() throws {
        var world = Self.vehicle { $0.tripGap = .seconds(600) }
        _ = world.tell(.command(.move), at: 50)
        #expect(world.tell(.command(.stay), at: 100).trips.isEmpty)
        for second in [110.0, 111] { _ = world.tell(.fix(Samples.fix(second)), at: second) }
        let trip = try #require(world.tell(.timer(.tripGap), at: 700).trips.first)
        #expect(trip.started == Samples.start + .seconds(50))
        #expect(trip.ended == Samples.start + .seconds(100))
    }

    @Test("A trip started by hand before the clock was right, while tracking is off, stands only since its start.")
    func startedByHand() throws {
        var world = Self.vehicle()
        _ = world.tell(.command(.tracking(isOn: false)), at: 40)
        _ = world.tell(.command(.startTrip(TripReport(externalID: "T-17"))), at: 50)
        _ = world.tell(.wallClock(Samples.start + .seconds(60), isTrusted: true), at: 60)
        let trip = try #require(world.tell(.command(.endTrip), at: 100).trips.first)
        #expect(trip.started == Samples.start + .seconds(50))
        #expect(trip.ended == Samples.start + .seconds(100))
        #expect(trip.idle == .seconds(50))
    }

    @Test("The start of a trip that began after the clock was set is not corrected.")
    func laterTrip() throws {
        var world = Self.vehicle()
        _ = world.tell(.command(.move), at: 50)
        world.drive(from: 61, seconds: 60)
        _ = world.tell(.command(.stay), at: 200)
        _ = world.tell(.command(.move), at: 300)
        // A time server contradicts the receiver by two minutes. Only estimated times may change, and no estimated time is left.
        _ = world.tell(.wallClock(Samples.start + .seconds(430), isTrusted: true), at: 310)
        let trip = try #require(world.tell(.command(.stay), at: 400).trips.first)
        #expect(trip.started == Samples.start + .seconds(300))
    }

    @Test("The start of a trip from before a restart is not corrected when the clock is set after the restart.")
    func tripOfBefore() throws {
        var world = Self.vehicle { $0.tripGap = .seconds(600) }
        _ = world.tell(.command(.move), at: 50)
        _ = world.tell(.command(.stay), at: 100)
        let state = world.engine.state
        // The error of the clock during the earlier boot is unknown.
        world = Self.vehicle(restoring: state) { $0.tripGap = .seconds(600) }
        _ = world.tell(.command(.move), at: 20)
        world.drive(from: 61, seconds: 60)
        _ = world.tell(.command(.stay), at: 200)
        let trip = try #require(world.tell(.timer(.tripGap), at: 900).trips.first)
        #expect(trip.number == 1)
        #expect(trip.started == Samples.start - Self.behind + .seconds(50))
        #expect(trip.ended == Samples.start + .seconds(200))
    }

    @Test("A visit that began before the clock was right is reported with its true arrival.")
    func visit() {
        var world = Self.vehicle { $0.useVisits = true }
        _ = world.tell(.command(.move), at: 50)
        _ = world.tell(.command(.stay), at: 100)
        for second in [200.0, 201] { _ = world.tell(.fix(Samples.fix(second)), at: second) }
        let visits = world.tell(.command(.move), at: 300).compactMap(\.record).compactMap {
            if case .visit(let visit) = $0.content { visit } else { nil }
        }
        #expect(
            visits == [Visit(arrived: Samples.start + .seconds(100), departed: Samples.start + .seconds(300))])
    }

    @Test("A closed schedule takes effect as soon as a fix states the time.")
    func schedule() throws {
        let (opens, closes) = (try #require(TimeOfDay("08:00")), try #require(TimeOfDay("20:00")))
        var world = Self.vehicle { ($0.startTime, $0.endTime) = (opens, closes) }
        #expect(world.engine.status.isWithinSchedule)
        // Samples begin at midnight.
        _ = world.tell(.fix(Samples.fix(61)), at: 61)
        let effects = world.tell(.fix(Samples.fix(62)), at: 62)
        #expect(!world.engine.status.isWithinSchedule && effects.contains(.receiver(isOn: false)))
    }

    /// Returns a parked vehicle without a position, with a system clock that is a day behind.
    private static func vehicle(
        restoring state: EngineState = EngineState(), _ change: (inout TrackingOptions) -> Void = { _ in }
    ) -> World {
        var options = Profile.vehicle.options
        change(&options)
        var world = World()
        world.engine = Engine(options, restoring: state)
        _ = world.tell(.wallClock(Samples.start - behind, isTrusted: false), at: 0)
        _ = world.tell(.motionSensor(isThere: true), at: 0)
        _ = world.tell(.started, at: 0)
        return world
    }
}

private struct Correction: Equatable {
    let before: Instant
    let by: Duration
}

private struct EndedTrip {
    let number: Int?
    let started: Timestamp
    let ended: Timestamp
    let idle: Duration
}

extension [Effect] {
    fileprivate var corrections: [Correction] {
        compactMap {
            if case .correctTimestamps(let before, let span) = $0 { Correction(before: before, by: span) } else { nil }
        }
    }

    fileprivate var trips: [EndedTrip] {
        compactMap(\.record).compactMap { record in
            guard case .trip(let report) = record.content, let summary = report.summary else { return nil }
            return EndedTrip(number: report.number, started: summary.started, ended: summary.ended, idle: summary.idle)
        }
    }
}
