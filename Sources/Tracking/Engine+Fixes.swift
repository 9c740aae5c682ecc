import Quantities

extension Engine {
    /// The way of a report: judged, then told to whoever waits for a fix, then to the state that the vehicle is in.
    mutating func take(_ report: Fix, at now: Instant) -> [Effect] {
        var effects = carryOut(health.report(report, at: now), at: now)
        let (fix, ignored) = report.withinBounds()
        if !ignored.isEmpty {
            let names = ignored.joined(separator: ", ")
            effects.append(.decided(Decision(.receiver, "ignored, as no vehicle can have it: \(names)")))
        }
        switch filter.judge(fix, at: now) {
        case .refused(let reason):
            return effects + [.refused(reason)]
        case .accepted(let fix):
            if filter.hasJumped { state.odometer.jump(to: fix) }
            return effects + take(fix, at: now)
        }
    }

    private mutating func take(_ fix: AcceptedFix, at now: Instant) -> [Effect] {
        var effects = mend(clock.learn(fix: fix.time, at: now), at: now)
        state.lastFix = fix
        if state.isMoving { state.isLastFixOfTrip = true }
        if let average = power.fix(at: now, average: state.timeToFirstFix) { state.timeToFirstFix = average }
        effects += answer(requests.take(fix, at: now), at: now)
        // Who asked has an answer; nothing else is made of where the vehicle is while nothing is tracked.
        guard !isSuspended else { return effects }
        effects += watchRegions(fix, at: now)
        effects += judgeDriving(.fix(fix), at: now)
        return effects + forward(.fix(fix), at: now)
    }
}
