import Calendar
import Quantities
import Testing
import TrackingOptions

@testable import Tracking

@Suite("The schedule gate")
struct ScheduleGateTests {
    /// A schedule that is open from 08:00 to 20:00 UTC.
    private let schedule: Schedule
    private var gate: ScheduleGate

    init() throws {
        var options = TrackingOptions()
        options.startTime = try #require(TimeOfDay("08:00"))
        options.endTime = try #require(TimeOfDay("20:00"))
        schedule = Schedule(options, zone: .utc)
        gate = ScheduleGate(schedule)
    }

    @Test("Until the time is known, the schedule gate is open and marks records, and it checks again within a day.")
    mutating func untrusted() {
        #expect(gate.state == .unknown)
        let outcome = gate.look(at: nil)
        #expect(gate.state == .unknown)
        #expect(!outcome.hasChanged)
        #expect(outcome.lookAgainAfter == .seconds(86_400))
        _ = gate.look(at: .utc(2026, 5, 4, 7, 59))
        #expect(gate.state == .closed)
    }

    @Test("The schedule gate opens and closes with the schedule, and checks again at the next change.")
    mutating func changes() {
        let early = gate.look(at: .utc(2026, 5, 4, 7, 30) + .milliseconds(1))
        #expect(gate.state == .closed && early.hasChanged)
        #expect(early.lookAgainAfter == .milliseconds(1_799_999))
        // A timer that is a little early changes nothing.
        let almost = gate.look(at: .utc(2026, 5, 4, 8, 0) - .milliseconds(3))
        #expect(gate.state == .closed && !almost.hasChanged)
        #expect(almost.lookAgainAfter == .milliseconds(3))
        let open = gate.look(at: .utc(2026, 5, 4, 8, 0))
        #expect(gate.state == .open && open.hasChanged)
        #expect(open.lookAgainAfter == .seconds(12 * 3600))
    }

    @Test("The schedule gate notices that the clock was set.")
    mutating func clockStep() {
        _ = gate.look(at: .utc(2026, 5, 4, 12, 0))
        let outcome = gate.look(at: .utc(2026, 5, 4, 22, 0))
        #expect(gate.state == .closed && outcome.hasChanged)
        _ = gate.look(at: nil)
        #expect(gate.state == .unknown)
    }

    @Test("The schedule gate checks again after a day at the latest, even if the schedule never changes.")
    mutating func longPause() throws {
        var options = TrackingOptions()
        for line in ["* * 1 1 *", "* * 30 2 *"] {
            let crontab = try #require(Crontab(line))
            options.trackingSchedule = crontab
            gate.follow(Schedule(options, zone: .utc))
            #expect(gate.look(at: .utc(2026, 5, 4, 12, 0)).lookAgainAfter == .seconds(86_400))
        }
        #expect(gate.state == .closed)
    }

    @Test("The gate of a schedule without restrictions is open without a clock, and never checks again.")
    mutating func unrestricted() {
        _ = gate.look(at: .utc(2026, 5, 4, 22, 0))
        gate.follow(Schedule(TrackingOptions(), zone: .utc))
        let outcome = gate.look(at: nil)
        #expect(gate.state == .open && outcome.hasChanged)
        #expect(outcome.lookAgainAfter == nil)
        #expect(ScheduleGate(Schedule(TrackingOptions(), zone: .utc)).state == .open)
    }
}

extension Timestamp {
    fileprivate static func utc(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int) -> Timestamp {
        Timestamp(year: year, month: month, day: day) + .seconds(hour * 3600 + minute * 60)
    }
}
