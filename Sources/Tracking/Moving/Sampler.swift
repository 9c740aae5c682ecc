package import TrackingOptions
package import Quantities

struct Sampler: Sendable, Hashable {
    private var chord: ChordRule?
    private var lastSeen: Timestamp?
    /// True if the receiver has rested since the last record.
    private var hasRested = false

    /// The route across a longer gap is unknown, so both ends become points.
    private static let longestGap = Duration.seconds(30)
    /// If the first fix comes this long after the last record, the route between the two is unknown.
    private static let firstGap = Duration.seconds(10)

    init(_ options: TrackingOptions) {
        chord = options.turnFilter > .zero ? ChordRule() : nil
    }

    /// Call it with fixes in order of time.
    mutating func sample(
        _ fix: AcceptedFix, after last: TrackPoint?, isAtRest: Bool, _ shared: SharedOptions
    ) -> [AcceptedFix] {
        guard shared.options.monitoring.recordsUnasked else { return [] }
        guard let last else { return note([fix]) }
        let isAfterGap = lastSeen.map { fix.time - $0 > Self.longestGap } ?? (fix.time - last.time > Self.firstGap)
        lastSeen = fix.time
        if isAfterGap, let chord {
            let ends = spaced(
                [chord.previous, fix].compactMap { $0 }, after: last, shared.options.fastestMovingUpdateInterval)
            if !ends.isEmpty { return note(ends) }
        }
        let strayed = chord?.add(fix, after: last)
        let elapsed = fix.time - last.time
        // A negative value means that the system clock ran ahead when it dated the last record.
        guard elapsed < .zero || elapsed >= shared.options.fastestMovingUpdateInterval else { return [] }
        let isWanted = wants(fix, after: last, elapsed: elapsed, isAtRest: isAtRest, shared)
        guard let strayed, strayed.time - last.time >= shared.options.fastestMovingUpdateInterval else {
            return isWanted ? note([fix]) : []
        }
        let isLateEnough = fix.time - strayed.time >= shared.options.fastestMovingUpdateInterval
        if isLateEnough, isWanted || TurnRule(angle: shared.options.turnFilter).wants(fix, after: TrackPoint(strayed)) {
            return note([strayed, fix])
        }
        let corner = note([strayed])
        // No valid line reached this fix, so it is the first one on the chord that begins at the corner.
        _ = chord?.add(fix, after: TrackPoint(strayed))
        return corner
    }

    /// Begins anew, because another rule has requested a record.
    mutating func restart() { chord?.restart() }

    /// Notes a rest of the receiver. The circle around the last record is checked only after a rest.
    mutating func noteRest() { hasRested = true }

    /// A passive fix is one that another request caused.
    func wantsPassive(_ fix: AcceptedFix, after last: TrackPoint?, _ shared: SharedOptions) -> Bool {
        guard shared.options.usePassiveFixes, shared.options.monitoring.recordsUnasked else { return false }
        guard let last else { return true }
        let distance = DistanceRule(shared.options)
        let isNear = shared.options.updateRule == .all && distance.isOn && !distance.wants(fix, after: last.coordinate)
        return !isNear && fix.time - last.time >= shared.options.fastestMovingUpdateInterval
    }

    /// Returns how long the receiver can rest; nil if the next fix may be due too soon to save power.
    func rest(after fix: AcceptedFix, last: TrackPoint?, timeToFix: Duration?, _ shared: SharedOptions) -> Duration? {
        let options = shared.options
        guard options.monitoring.recordsUnasked, options.recordsTrack else {
            let interval = options.monitoring.recordsUnasked ? Self.stopsAloneInterval : Self.idleInterval
            return DutyCycle.rest(before: interval, of: interval, timeToFix: timeToFix)
        }
        let interval = interval(shared)
        guard interval >= DutyCycle.shortest || options.movingCircle != nil else { return nil }
        let elapsed = last.map { max(.zero, fix.time - $0.time) } ?? .zero
        let due = min(interval, distanceTime(from: fix, last, shared) + elapsed) - elapsed
        guard let circle = options.movingCircle, let speed = fix.position.speed,
            let whole = MovingGeofence.time(to: circle, at: speed),
            DutyCycle.rest(before: whole, of: whole, timeToFix: timeToFix) != nil
        else { return DutyCycle.rest(before: due, of: interval, timeToFix: timeToFix) }
        // The drive to the border of the circle takes long enough to save power with the receiver off.
        let way = last.map { $0.coordinate.distance(to: fix.coordinate) } ?? .zero
        let border = MovingGeofence.time(to: max(.zero, circle - way), at: speed) ?? due
        let soonest = min(due, max(border, options.fastestMovingUpdateInterval - elapsed))
        return DutyCycle.rest(before: soonest, of: whole, timeToFix: timeToFix)
    }

    /// The time until a rule could request the next record; `distanceTime` handles a coarse distance filter.
    func interval(_ shared: SharedOptions) -> Duration {
        let options = shared.options
        let interval = options.desiredMovingUpdateInterval
        var earliest: Duration? =
            switch (options.updateRule, interval > .zero, options.distanceFilter > .zero) {
            case (.all, true, _), (.any, true, false): interval
            case (.any, true, true): isDistanceCoarse(options) ? interval : .zero
            case (.any, false, true), (.all, false, true): .zero
            case (.any, false, false), (.all, false, false): nil
            }
        if options.turnFilter > .zero { earliest = .zero }
        if options.useSignificantLocationChanges {
            earliest = min(earliest ?? SignificantChange.interval, SignificantChange.interval)
        }
        // If no rule has set a time, the long idle interval applies. `rest` handles the circle around the last record.
        return max(earliest ?? Self.idleInterval, options.fastestMovingUpdateInterval)
    }

    /// The time to cover what remains of a coarse distance filter; a day if there is no such filter or no last record.
    private func distanceTime(from fix: AcceptedFix, _ last: TrackPoint?, _ shared: SharedOptions) -> Duration {
        guard isDistanceCoarse(shared.options), let last else { return .seconds(86_400) }
        let speed = fix.position.speed ?? .zero
        let filter = DistanceRule(shared.options).effectiveFilter(at: speed)
        let way = max(.zero, filter - last.coordinate.distance(to: fix.coordinate))
        return Duration(inSeconds: way.value / max(speed, Self.townSpeed).value)
    }

    private func isDistanceCoarse(_ options: TrackingOptions) -> Bool {
        options.updateRule == .any && options.desiredMovingUpdateInterval >= DutyCycle.shortest
            && options.distanceFilter >= Self.coarse
    }

    /// The interval in modes that record only on request, or if no rule sets a time; fixes then serve only regions and stops.
    private static let idleInterval = Duration.seconds(300)
    /// The interval without a track, because the accelerometer detects stops: that of OwnTracks' significant mode on Android.
    private static let stopsAloneInterval = Duration.seconds(900)
    /// From this distance filter on, no stream of fixes is needed; it is GeoManager's smallest.
    private static let coarse = Metres(200)
    /// The least speed that is assumed, because a slow vehicle may accelerate at any moment.
    private static let townSpeed = MetresPerSecond(5)

    /// The fixes that are at least `interval` after the last record and after each other.
    private func spaced(_ fixes: [AcceptedFix], after last: TrackPoint, _ interval: Duration) -> [AcceptedFix] {
        var time = last.time
        return fixes.filter { fix in
            guard fix.time - time >= interval else { return false }
            time = fix.time
            return true
        }
    }

    private mutating func note(_ fixes: [AcceptedFix]) -> [AcceptedFix] {
        chord?.restart()
        hasRested = false
        return fixes
    }

    private func wants(
        _ fix: AcceptedFix, after last: TrackPoint, elapsed: Duration, isAtRest: Bool, _ shared: SharedOptions
    ) -> Bool {
        let distance = DistanceRule(shared.options)
        let interval = shared.options.desiredMovingUpdateInterval
        let isLate = interval > .zero ? elapsed < .zero || elapsed >= interval : nil
        let isFar = distance.isOn ? !isAtRest && distance.wants(fix, after: last.coordinate) : nil
        if combined(isLate, isFar, by: shared.options.updateRule) { return true }
        if shared.options.useSignificantLocationChanges, SignificantChange.wants(fix, after: last) { return true }
        if hasRested, let circle = shared.options.movingCircle, last.coordinate.distance(to: fix.coordinate) > circle {
            return true
        }
        return !isAtRest && TurnRule(angle: shared.options.turnFilter).wants(fix, after: last)
    }

    /// Combines two rules. One that is off, for which the argument is nil, has no influence.
    private func combined(_ isLate: Bool?, _ isFar: Bool?, by rule: UpdateRule) -> Bool {
        switch (rule, isLate, isFar) {
        case (.any, _, _): isLate ?? false || isFar ?? false
        case (.all, nil, nil): false
        case (.all, _, _): isLate ?? true && isFar ?? true
        }
    }
}

package struct DistanceRule: Sendable, Hashable {
    private let filter: Metres
    private let multiplier: Double

    package init(_ options: TrackingOptions) {
        filter = options.distanceFilter
        multiplier = options.disableElasticity ? 0 : options.elasticityMultiplier
    }

    var isOn: Bool { filter > .zero }

    /// `multiplier` filter lengths for each step of 5 m/s, but at least one. The distance shrinks while the vehicle
    /// brakes, so the track includes the parked place. Only rounding up matches both published examples: 7.7 m/s with a
    /// filter of 30 m results in 60 m, and 27 m/s with a filter of 50 m results in 300 m.
    package func effectiveFilter(at speed: MetresPerSecond?) -> Metres {
        let steps = ((speed?.value ?? 0) / 5).rounded(.up)
        return filter * max(1, steps * multiplier)
    }

    func wants(_ fix: AcceptedFix, after last: Coordinate) -> Bool {
        isOn && last.distance(to: fix.coordinate) >= effectiveFilter(at: fix.position.speed)
    }
}

struct TurnRule: Sendable, Hashable {
    /// The least speed; at a lower one, the course is noise.
    private static let slowest = MetresPerSecond(2)
    /// A turn needs this lateral offset, because the courses of slow fixes are noisy.
    private static let aside = Metres(10)

    private let angle: Degrees

    /// An angle of zero switches the rule off.
    init(angle: Degrees) { self.angle = angle }

    func wants(_ fix: AcceptedFix, after last: TrackPoint) -> Bool {
        guard angle > .zero, let speed = fix.position.speed, speed > Self.slowest, let course = fix.position.course,
            let earlier = last.course
        else { return false }
        guard course.turn(from: earlier) >= angle else { return false }
        // A U-turn has no lateral offset; `ChordRule` records the point of the U-turn.
        let offset = last.coordinate.offset(to: fix.coordinate)
        let ahead = earlier.direction
        let aside = Metres(offset.east.value * ahead.north - offset.north.value * ahead.east).magnitude
        return aside >= Self.aside
    }
}

/// Records after 500 m, at most once in five minutes (OwnTracks on iOS, Radar).
enum SignificantChange {
    private static let distance = Metres(500)
    static let interval = Duration.seconds(300)

    static func wants(_ fix: AcceptedFix, after last: TrackPoint) -> Bool {
        let elapsed = fix.time - last.time
        return (elapsed < .zero || elapsed >= interval) && last.coordinate.distance(to: fix.coordinate) >= distance
    }
}

/// Records a point when the vehicle leaves a circle around the last record (Radar). The next fix is due when the
/// vehicle reaches the border at its last speed; until then the receiver may be off.
enum MovingGeofence {
    /// Nil if the speed is unknown, or at most 0.5 m/s.
    static func time(to radius: Metres, at speed: MetresPerSecond?) -> Duration? {
        guard let speed, speed.value > 0.5 else { return nil }
        return Duration(inSeconds: radius.value / speed.value)
    }
}
