import Quantities
import Testing
import TrackingOptions

@testable import Calendar

@Suite("A schedule")
struct ScheduleTests {
    @Test("A schedule without restrictions is always open.")
    func unrestricted() {
        let schedule = Schedule(TrackingOptions(), zone: Zones.berlin)
        #expect(schedule.isUnrestricted)
        #expect(schedule.isOpen(at: .utc(2026, 5, 4, 0, 0)))
        #expect(schedule.nextChange(after: .utc(2026, 5, 4, 0, 0)) == nil)
    }

    @Test(
        "Daily hours include their start, exclude their end, and may go past midnight.",
        arguments: [
            ("08:00", "20:00", ["08:00", "19:59"], ["07:59", "20:00", "00:00"]),
            ("00:00", "23:59", ["00:00", "23:58"], ["23:59"]),
            ("00:00", "24:00", ["00:00", "23:59"], []),
            ("22:00", "06:00", ["22:00", "23:59", "00:00", "05:59"], ["06:00", "21:59", "12:00"]),
            ("22:00", "00:00", ["22:00", "23:59"], ["00:00", "21:59"]),
            ("24:00", "06:00", ["00:00", "05:59"], ["06:00", "23:59"]),
            ("08:00", "08:00", ["07:59", "08:00"], []),
        ])
    func dailyHours(start: String, end: String, open: [String], closed: [String]) throws {
        let schedule = try schedule(from: start, to: end, in: .utc)
        for (texts, isOpen) in [(open, true), (closed, false)] {
            for text in texts {
                let minute = try #require(TimeOfDay(text)).minutes
                let moment = Timestamp.utc(2026, 5, 4, 0, minute)
                #expect(schedule.isOpen(at: moment) == isOpen, "\(text)")
                #expect(schedule.isOpen(at: moment + .milliseconds(59_999)) == isOpen, "\(text):59.999")
            }
        }
    }

    @Test("A schedule is open only if its crontab line, its hours and its dates all allow tracking.")
    func all() throws {
        var options = TrackingOptions()
        options.trackingSchedule = Crontab("* * * * MON-FRI")
        options.startTime = try #require(TimeOfDay("08:00"))
        options.endTime = try #require(TimeOfDay("20:00"))
        options.startTrackingAfter = .utc(2026, 5, 5, 9, 30) + .milliseconds(250)
        options.stopTrackingAfter = .utc(2026, 5, 11, 7, 15)
        let schedule = Schedule(options, zone: Zones.berlin)
        #expect(!schedule.isUnrestricted)
        #expect(!schedule.isOpen(at: .utc(2026, 5, 4, 12, 0)))
        #expect(!schedule.isOpen(at: .utc(2026, 5, 5, 9, 30)))
        #expect(schedule.isOpen(at: .utc(2026, 5, 5, 9, 31)))
        #expect(!schedule.isOpen(at: .utc(2026, 5, 9, 12, 0)))
        #expect(!schedule.isOpen(at: .utc(2026, 5, 11, 7, 15)))
        // 18:00 UTC is 20:00 in Berlin, and the weekend begins on the 9th.
        #expect(
            changes(of: schedule, after: .utc(2026, 5, 1, 0, 0)) == [
                "2026-05-05T09:30:00.250Z open", "2026-05-05T18:00:00.000Z closed", "2026-05-06T06:00:00.000Z open",
                "2026-05-06T18:00:00.000Z closed", "2026-05-07T06:00:00.000Z open", "2026-05-07T18:00:00.000Z closed",
                "2026-05-08T06:00:00.000Z open", "2026-05-08T18:00:00.000Z closed", "2026-05-11T06:00:00.000Z open",
                "2026-05-11T07:15:00.000Z closed",
            ])
    }

    @Test("A schedule that ends before it begins never opens.")
    func contradiction() {
        var options = TrackingOptions()
        options.startTrackingAfter = .utc(2026, 5, 5, 0, 0)
        options.stopTrackingAfter = .utc(2026, 5, 4, 0, 0)
        let schedule = Schedule(options, zone: .utc)
        #expect(changes(of: schedule, after: .utc(2026, 1, 1, 0, 0)).isEmpty)
    }

    @Test(
        "The next change of a schedule follows the wall clock of its zone.",
        arguments: [
            // Trckr's example, over the weekend in which summer time begins.
            (
                "* 10-20 * * 1,2,3,4,5", Zones.berlin, Timestamp.utc(2026, 3, 27, 12, 0),
                ["2026-03-27T20:00:00.000Z closed", "2026-03-30T08:00:00.000Z open"]
            ),
            (
                "* * 1 1 *", Zones.berlin, .utc(2026, 6, 1, 0, 0),
                ["2026-12-31T23:00:00.000Z open", "2027-01-01T23:00:00.000Z closed"]
            ),
            ("0 12 29 2 *", Zones.saoPaulo, .utc(2026, 1, 1, 0, 0), ["2028-02-29T15:00:00.000Z open"]),
            ("0 12 29 2 *", Zones.kathmandu, .utc(2096, 3, 1, 0, 0), ["2104-02-29T06:15:00.000Z open"]),
            (
                "* 9 * * *", Zones.kathmandu, .utc(2026, 5, 4, 0, 0),
                ["2026-05-04T03:15:00.000Z open", "2026-05-04T04:15:00.000Z closed"]
            ),
            ("* * 30 2 *", Zones.berlin, .utc(2026, 1, 1, 0, 0), []),
            ("* * 31 4,6,9,11 *", Zones.newYork, .utc(2026, 1, 1, 0, 0), []),
            ("* * * * *", Zones.newYork, .utc(2026, 1, 1, 0, 0), []),
            // Samoa had no 30th of December in 2011.
            ("* * 30 12 *", Zones.apia, .utc(2011, 12, 1, 0, 0), ["2012-12-29T10:00:00.000Z open"]),
            ("* * * * FRI", Zones.apia, .utc(2011, 12, 28, 0, 0), ["2012-01-05T10:00:00.000Z open"]),
        ])
    func nextChange(text: String, zone: TimeZoneRules, after: Timestamp, expected: [String]) throws {
        let schedule = try schedule(text, in: zone)
        #expect(
            Array(changes(of: schedule, after: after, limit: expected.count + 1).prefix(expected.count)) == expected)
        #expect(!expected.isEmpty || schedule.nextChange(after: after) == nil)
    }

    @Test(
        "Times in the hour that is skipped in spring do not occur.",
        arguments: [
            ("30 2 * * *", Zones.berlin, Timestamp.utc(2026, 3, 28, 12, 0), "2026-03-30T00:30:00.000Z open"),
            ("30 2 * * *", Zones.newYork, .utc(2026, 3, 7, 12, 0), "2026-03-09T06:30:00.000Z open"),
            ("15 2 * * *", Zones.lordHowe, .utc(2026, 10, 3, 0, 0), "2026-10-04T15:15:00.000Z open"),
            ("30 2 * * *", Zones.lordHowe, .utc(2026, 10, 3, 0, 0), "2026-10-03T15:30:00.000Z open"),
            // The last minute before the gap does occur.
            ("59 1 * * *", Zones.berlin, .utc(2026, 3, 28, 12, 0), "2026-03-29T00:59:00.000Z open"),
        ])
    func skipped(text: String, zone: TimeZoneRules, after: Timestamp, expected: String) throws {
        #expect(changes(of: try schedule(text, in: zone), after: after, limit: 1) == [expected])
    }

    @Test("A schedule whose hours begin in the skipped hour opens after the skipped hour.")
    func beginsInTheGap() throws {
        let schedule = try schedule(from: "02:30", to: "05:00", in: Zones.berlin)
        #expect(
            changes(of: schedule, after: .utc(2026, 3, 28, 12, 0), limit: 2) == [
                "2026-03-29T01:00:00.000Z open", "2026-03-29T03:00:00.000Z closed",
            ])
    }

    @Test(
        "Times in the hour that is repeated in autumn occur twice.",
        arguments: [
            (
                "30 2 * * *", Zones.berlin, Timestamp.utc(2026, 10, 24, 12, 0),
                [
                    "2026-10-25T00:30:00.000Z open", "2026-10-25T00:31:00.000Z closed",
                    "2026-10-25T01:30:00.000Z open", "2026-10-25T01:31:00.000Z closed",
                    "2026-10-26T01:30:00.000Z open",
                ]
            ),
            (
                "* 2 * * *", Zones.berlin, .utc(2026, 10, 24, 12, 0),
                ["2026-10-25T00:00:00.000Z open", "2026-10-25T02:00:00.000Z closed"]
            ),
            (
                "0-29 1 * * *", Zones.newYork, .utc(2026, 10, 31, 12, 0),
                [
                    "2026-11-01T05:00:00.000Z open", "2026-11-01T05:30:00.000Z closed",
                    "2026-11-01T06:00:00.000Z open", "2026-11-01T06:30:00.000Z closed",
                ]
            ),
            (
                "45 1 * * *", Zones.lordHowe, .utc(2026, 4, 4, 0, 0),
                [
                    "2026-04-04T14:45:00.000Z open", "2026-04-04T14:46:00.000Z closed",
                    "2026-04-04T15:15:00.000Z open", "2026-04-04T15:16:00.000Z closed",
                ]
            ),
        ])
    func repeated(text: String, zone: TimeZoneRules, after: Timestamp, expected: [String]) throws {
        #expect(changes(of: try schedule(text, in: zone), after: after, limit: expected.count) == expected)
    }

    @Test("A schedule opens within a minute if a clock change leads into its hours.")
    func oddChange() throws {
        // Until this moment, Monrovia was 44 minutes and 30 seconds behind UTC.
        let change = Timestamp.utc(1972, 1, 7, 0, 44) + .seconds(30)
        let zone = TimeZoneRules(
            initialOffset: -2670, transitions: [TimeZoneRules.Transition(time: change.seconds, offset: 0)], rule: nil)
        #expect(
            changes(of: try schedule("44 0 * * *", in: zone), after: .utc(1972, 1, 6, 12, 0), limit: 2) == [
                "1972-01-07T00:44:30.000Z open", "1972-01-07T00:45:00.000Z closed",
            ])
    }

    @Test("A schedule is computed for any time.", arguments: [Int64.min, -1, 0, Int64.max - 1, Int64.max])
    func extremes(milliseconds: Int64) throws {
        let schedule = try schedule("30 4 29 2 *", in: Zones.berlin)
        let moment = Timestamp(milliseconds: milliseconds)
        let next = schedule.nextChange(after: moment)
        #expect(next.map { $0 > moment } ?? true)
    }

    private func schedule(_ text: String, in zone: TimeZoneRules) throws -> Schedule {
        let crontab = try #require(Crontab(text))
        var options = TrackingOptions()
        options.trackingSchedule = crontab
        return Schedule(options, zone: zone)
    }

    private func schedule(from start: String, to end: String, in zone: TimeZoneRules) throws -> Schedule {
        var options = TrackingOptions()
        options.startTime = try #require(TimeOfDay(start))
        options.endTime = try #require(TimeOfDay(end))
        return Schedule(options, zone: zone)
    }

    private func changes(of schedule: Schedule, after start: Timestamp, limit: Int = 20) -> [String] {
        var texts: [String] = []
        var moment = start
        while texts.count < limit, let change = schedule.nextChange(after: moment) {
            texts.append("\(change) \(schedule.isOpen(at: change) ? "open" : "closed")")
            moment = change
        }
        return texts
    }
}
