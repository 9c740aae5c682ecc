package import Quantities

/// When tracking is allowed: in the minutes of a crontab line, within the daily hours, and between two dates. Minutes
/// that the zone's wall clock skips in spring do not occur; those that it repeats in autumn occur twice.
package struct Schedule: Sendable, Hashable {
    private let zone: TimeZoneRules
    private let crontab: Crontab?
    private let daily: OpenMinutes
    private let begin: Timestamp?
    private let end: Timestamp?

    package let isUnrestricted: Bool

    /// The daily hours end before `endTime`. They span midnight if it is before `startTime`, and a whole day if both
    /// are equal.
    package init(
        crontab: Crontab? = nil, from startTime: TimeOfDay = .startOfDay, to endTime: TimeOfDay = .endOfDay,
        begin: Timestamp? = nil, end: Timestamp? = nil, zone: TimeZoneRules
    ) {
        self.zone = zone
        self.crontab = crontab
        self.begin = begin
        self.end = end
        let (from, to) = (startTime.minutes, endTime.minutes)
        daily = OpenMinutes { minute in
            let isWithinHours = from < to ? from..<to ~= minute : minute >= from || minute < to
            return isWithinHours && crontab?.matches(hour: minute / 60, minute: minute % 60) ?? true
        }
        let isWholeDay = from == to || from == 0 && to == TimeOfDay.endOfDay.minutes
        isUnrestricted = crontab == nil && isWholeDay && begin == nil && end == nil
    }

    package func isOpen(at moment: Timestamp) -> Bool {
        if let begin, moment < begin { return false }
        if let end, moment >= end { return false }
        return isOpen(onTheWall: zone.local(at: moment))
    }

    /// Nil if there is none; the search ends after eight years.
    package func nextChange(after moment: Timestamp) -> Timestamp? {
        guard !isOpen(at: moment) else {
            return [firstMoment(from: moment, isOpen: false), end].compactMap(\.self).min()
        }
        guard let opening = firstMoment(from: max(moment, begin ?? moment), isOpen: true) else { return nil }
        if let end, opening >= end { return nil }
        return opening
    }

    private func isOpen(onTheWall time: CivilTime) -> Bool {
        daily.contains(time.minuteOfDay) && crontab?.matches(day: time.date) ?? true
    }

    /// The longest time between two leap days is eight years, as from 1896 to 1904 and from 2096 to 2104.
    private static let horizon: Int64 = (8 * 366 + 1) * secondsADay
    private static let secondsADay: Int64 = 86_400
    private static let lastSecond = Int64.max / 1000

    /// The first moment from `moment` on that the crontab line and the daily hours allow; if `isOpen` is false, the
    /// first that they forbid.
    private func firstMoment(from moment: Timestamp, isOpen: Bool) -> Timestamp? {
        let limit = min(moment.seconds + Self.horizon, Self.lastSecond)
        var second = moment.seconds
        while second < limit {
            let span = zone.span(at: second)
            let end = min(span.end ?? limit, limit)
            let wall = firstSecond(from: second + span.offset, to: end + span.offset, isOpen: isOpen)
            if let wall { return max(moment, Timestamp(milliseconds: (wall - span.offset) * 1000)) }
            second = end
        }
        return nil
    }

    /// Seconds since 1970 on the wall clock, whose offset must not change between `start` and `end`.
    private func firstSecond(from start: Int64, to end: Int64, isOpen: Bool) -> Int64? {
        let time = CivilTime(secondsSince1970: start)
        var midnight = CivilTime(time.date).secondsSince1970
        var minute = time.minuteOfDay
        while midnight < end {
            if let found = firstMinute(from: minute, of: midnight / Self.secondsADay, isOpen: isOpen) {
                let second = max(start, midnight + Int64(found) * 60)
                return second < end ? second : nil
            }
            midnight += Self.secondsADay
            minute = 0
        }
        return nil
    }

    private func firstMinute(from minute: Int, of day: Int64, isOpen: Bool) -> Int? {
        let isDay = crontab?.matches(day: CivilDate(daysSince1970: Int(day))) ?? true
        return isDay ? daily.first(from: minute, isOpen: isOpen) : isOpen ? nil : minute
    }
}

/// Minutes of a day, from 0 to 1439.
struct OpenMinutes: Sendable, Hashable {
    /// One element per hour, one bit per minute.
    private var hours = [UInt64](repeating: 0, count: 24)

    init(where isOpen: (Int) -> Bool) {
        for minute in 0..<1440 where isOpen(minute) { hours[minute / 60] |= 1 << UInt64(minute % 60) }
    }

    func contains(_ minute: Int) -> Bool { hours[minute / 60] & 1 << UInt64(minute % 60) != 0 }

    func first(from minute: Int, isOpen: Bool) -> Int? {
        var skipped = UInt64(minute % 60)
        for hour in minute / 60..<24 {
            let wanted = (isOpen ? hours[hour] : ~hours[hour] & Self.wholeHour) & (UInt64.max << skipped)
            if wanted != 0 { return hour * 60 + wanted.trailingZeroBitCount }
            skipped = 0
        }
        return nil
    }

    private static let wholeHour: UInt64 = 1 << 60 - 1
}
