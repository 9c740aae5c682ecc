import Quantities
import TrackingOptions

/// Decides which fixes become points of the track; it asks the rules in turn.
struct Sampler: Sendable, Hashable {
    private let options: TrackingOptions
    private let distance: DistanceRule
    private let turn: TurnRule
    private var chord: ChordRule?
    private var lastSeen: Timestamp?

    /// A line over a longer gap is a guess: the fixes at both ends of it are kept.
    private static let longestGap = Duration.seconds(30)
    /// Before the first fix of a trip only the anchor is known, which says where the vehicle was, but not which way it went.
    private static let firstGap = Duration.seconds(10)

    init(_ options: TrackingOptions) {
        self.options = options
        distance = DistanceRule(options)
        turn = TurnRule(angle: options.turnFilter)
        chord = options.turnFilter > .zero ? ChordRule() : nil
    }

    /// Takes a fix in; returns the fixes to be recorded, in the order of their times.
    mutating func sample(_ fix: AcceptedFix, after last: EngineState.Recorded?, isAtRest: Bool) -> [AcceptedFix] {
        guard options.monitoring.recordsUnasked else { return [] }
        guard let last else { return note([fix]) }
        let isAfterGap = lastSeen.map { fix.time - $0 > Self.longestGap } ?? (fix.time - last.time > Self.firstGap)
        lastSeen = fix.time
        if isAfterGap, let chord {
            let ends = spaced([chord.previous, fix].compactMap { $0 }, after: last)
            if !ends.isEmpty { return note(ends) }
        }
        let strayed = chord?.add(fix, after: last)
        let elapsed = fix.time - last.time
        // Negative: the last record was dated by a system clock that ran ahead.
        guard elapsed < .zero || elapsed >= options.fastestMovingUpdateInterval else { return [] }
        let isWanted = wants(fix, after: last, elapsed: elapsed, isAtRest: isAtRest)
        guard let strayed, strayed.time - last.time >= options.fastestMovingUpdateInterval else {
            return isWanted ? note([fix]) : []
        }
        let isLateEnough = fix.time - strayed.time >= options.fastestMovingUpdateInterval
        if isLateEnough, isWanted || turn.wants(fix, after: EngineState.Recorded(strayed)) {
            return note([strayed, fix])
        }
        let corner = note([strayed])
        // The fix that broke the bound begins the next chord.
        _ = chord?.add(fix, after: EngineState.Recorded(strayed))
        return corner
    }

    /// A record was made of something else: the chord begins anew there.
    mutating func restart() { chord?.restart() }

    /// The earliest time after a record at which any rule could want another; what lets the receiver rest.
    func earliestNext(at speed: MetresPerSecond?) -> Duration {
        guard options.monitoring.recordsUnasked else { return Self.idleInterval }
        var earliest: [Duration] = []
        let interval = options.desiredMovingUpdateInterval
        switch (options.updateRule, interval > .zero, options.distanceFilter > .zero) {
        case (.all, true, _): earliest.append(interval)
        case (.any, true, false): earliest.append(interval)
        case (.any, _, true), (.all, false, true): earliest.append(.zero)
        case (.any, false, false), (.all, false, false): break
        }
        if options.turnFilter > .zero { earliest.append(.zero) }
        if options.useSignificantLocationChanges { earliest.append(SignificantChange.interval) }
        let soonest = earliest.min() ?? .zero
        let bubble = options.useMovingGeofence ? MovingGeofence.time(to: options.movingGeofenceRadius, at: speed) : nil
        return max(min(soonest, bubble ?? soonest), options.fastestMovingUpdateInterval)
    }

    /// Without a rule that records, fixes only serve regions and stops: every five minutes is enough for these.
    private static let idleInterval = Duration.seconds(300)

    /// Those that lie `fastestMovingUpdateInterval` apart, and as far from the last record.
    private func spaced(_ fixes: [AcceptedFix], after last: EngineState.Recorded) -> [AcceptedFix] {
        var time = last.time
        return fixes.filter { fix in
            guard fix.time - time >= options.fastestMovingUpdateInterval else { return false }
            time = fix.time
            return true
        }
    }

    private mutating func note(_ fixes: [AcceptedFix]) -> [AcceptedFix] {
        chord?.restart()
        return fixes
    }

    private func wants(
        _ fix: AcceptedFix, after last: EngineState.Recorded, elapsed: Duration, isAtRest: Bool
    ) -> Bool {
        let isLate = IntervalRule.wants(elapsed, interval: options.desiredMovingUpdateInterval)
        let isFar = distance.isOn ? !isAtRest && distance.wants(fix, after: last.coordinate) : nil
        if combined(isLate, isFar) { return true }
        if options.useSignificantLocationChanges, SignificantChange.wants(fix, after: last) { return true }
        if options.useMovingGeofence, MovingGeofence.isLeft(by: fix, after: last, radius: options.movingGeofenceRadius)
        {
            return true
        }
        return !isAtRest && turn.wants(fix, after: last)
    }

    /// What the two rules say together; a rule that is off has no say.
    private func combined(_ isLate: Bool?, _ isFar: Bool?) -> Bool {
        switch (options.updateRule, isLate, isFar) {
        case (.any, _, _): isLate ?? false || isFar ?? false
        case (.all, nil, nil): false
        case (.all, _, _): isLate ?? true && isFar ?? true
        }
    }
}
