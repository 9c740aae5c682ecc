import Quantities
import TestSupport
import Testing
import TrackingOptions

@testable import Calendar

@Suite("A random schedule")
struct SchedulePropertyTests {
    @Test("The next change of a schedule agrees with a check of every minute.", arguments: 0..<60)
    func walk(seed: Int) throws {
        var generator = SplitMix(seed: UInt64(seed))
        let (name, zone) = try #require(Zones.all.randomElement(using: &generator))
        let options = try randomOptions(&generator)
        let schedule = Schedule(options, zone: zone)
        let about = "seed \(seed): `\(options.trackingSchedule?.text ?? "")` in \(name)"
        // The times are near a clock change, the end of a year or a leap day.
        let near = try #require(Self.eventful.randomElement(using: &generator))
        let start = near + .seconds(60 * Int.random(in: -2880...60, using: &generator))
        var wasOpen = isOpen(at: start, options, zone)
        var expected: [Timestamp] = []
        for minute in 0..<4 * 1440 {
            let moment = start + .seconds(60 * minute)
            let isOpen = isOpen(at: moment, options, zone)
            // The test calls `Issue.record` only after a failure, because `#expect` in every minute would take longer than the
            // rest of the test.
            if schedule.isOpen(at: moment) != isOpen { Issue.record("\(about) at \(moment)") }
            if isOpen != wasOpen { expected.append(moment) }
            wasOpen = isOpen
        }
        #expect(changes(of: schedule, from: start, to: start + .seconds(4 * 86_400)) == expected, "\(about)")
    }

    private func changes(of schedule: Schedule, from start: Timestamp, to end: Timestamp) -> [Timestamp] {
        var changes: [Timestamp] = []
        while let next = schedule.nextChange(after: changes.last ?? start), next < end, changes.count < 9999 {
            changes.append(next)
        }
        return changes
    }

    private static let eventful: [Timestamp] = [
        .utc(2026, 3, 29, 1, 0), .utc(2026, 10, 25, 1, 0), .utc(2026, 3, 8, 7, 0), .utc(2026, 11, 1, 6, 0),
        .utc(2026, 4, 4, 15, 0), .utc(2026, 10, 3, 15, 30), .utc(2011, 12, 30, 10, 0), .utc(2027, 1, 1, 0, 0),
        .utc(2028, 2, 29, 12, 0),
    ]

    /// Applies the rule of schedules without the optimisations of the code under test.
    private func isOpen(at moment: Timestamp, _ options: TrackingOptions, _ zone: TimeZoneRules) -> Bool {
        let time = zone.local(at: moment)
        let minute = time.hour * 60 + time.minute
        let (from, to) = (options.startTime.minutes, options.endTime.minutes)
        let isWithinHours =
            from == to || (from < to && minute >= from && minute < to)
            || (from > to && (minute >= from || minute < to))
        return isWithinHours && options.trackingSchedule?.matches(time) ?? true
            && moment >= options.startTrackingAfter ?? moment
            && moment < options.stopTrackingAfter ?? .utc(3000, 1, 1, 0, 0)
    }

    private func randomOptions(_ generator: inout SplitMix) throws -> TrackingOptions {
        let fields = [
            ["*", "*", "*/7", "0", "30", "59", "10-20,40", "0,30-45/5"],
            ["*", "*", "2", "1-3", "*/5", "22-23,0-5", "0", "23"],
            ["*", "*", "*", "1", "29-31", "*/2", "30"],
            ["*", "*", "*", "DEC-DEC,JAN,FEB", "3,4,10,11"],
            ["*", "*", "*", "SUN", "MON-FRI", "*/2", "6-7"],
        ]
        let line = fields.map { $0.randomElement(using: &generator) ?? "*" }.joined(separator: " ")
        let crontab = try #require(Crontab(line))
        var options = TrackingOptions()
        options.trackingSchedule = crontab
        if generator.next() % 2 == 0 {
            options.startTime = try #require(
                TimeOfDay(hour: Int(generator.next() % 24), minute: Int(generator.next() % 60)))
            options.endTime = try #require(
                TimeOfDay(hour: Int(generator.next() % 24), minute: Int(generator.next() % 60)))
        }
        if generator.next() % 4 == 0 { options.startTrackingAfter = Self.eventful.randomElement(using: &generator) }
        if generator.next() % 4 == 0 { options.stopTrackingAfter = Self.eventful.randomElement(using: &generator) }
        return options
    }
}
