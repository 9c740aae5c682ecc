import Quantities
import TrackingOptions

extension Engine {
    /// Whether nothing is tracked now: somebody has switched it off, or the schedule has.
    var isSuspended: Bool { state.isSwitchedOff || isOffSchedule && !options.trackOutsideSchedule }

    /// Whether the schedule forbids tracking, or has it tagged.
    var isOffSchedule: Bool { gate.state == .closed }

    /// What records are tagged with now.
    var tag: String? { isOffSchedule ? options.tagForOffScheduleTracking ?? state.tag : state.tag }

    /// Looks at the clock: the schedule may have opened or closed, or now forbid what it had tagged.
    ///
    /// `before` says whether tracking was suspended before what led to this, if that may have changed.
    /// It is not inlined: the optimiser of Swift 6.3.1 ends with "Found ownership error" where it is.
    @inline(never)
    mutating func lookAtSchedule(after before: Bool? = nil, at now: Instant) -> [Effect] {
        let (time, isTrusted) = clock.time(at: now)
        let wasSuspended = before ?? isSuspended
        let outcome = gate.look(at: isTrusted ? time : nil)
        let next: [Effect] = outcome.lookAgainAfter.map { [.arm(.schedule, at: now + $0)] } ?? []
        guard outcome.hasChanged || isSuspended != wasSuspended else { return next }
        let text =
            switch (outcome.hasChanged, gate.state) {
            case (true, .closed): "the schedule has closed"
            case (true, .open), (true, .unknown): "the schedule is open"
            case (false, _): "tracking outside the schedule is \(isSuspended ? "no longer allowed" : "allowed")"
            }
        return [.decided(Decision(.schedule, text))] + suspend(from: wasSuspended, because: text, at: now) + next
    }

    /// Switches tracking on or off altogether.
    mutating func track(_ isOn: Bool, at now: Instant) -> [Effect] {
        let wasSuspended = isSuspended
        // The way that is under way ends while it can still be recorded.
        let ended = isOn ? [] : endTracking(because: "tracking was switched off", at: now)
        state.isSwitchedOff = !isOn
        return ended + suspend(from: wasSuspended, because: "tracking was switched off", at: now)
    }

    private mutating func suspend(from before: Bool, because reason: String, at now: Instant) -> [Effect] {
        switch (before, isSuspended) {
        case (false, true): endTracking(because: reason, at: now) + rescan(at: now)
        case (true, false): start(at: now)
        case (true, true), (false, false): []
        }
    }

    private mutating func endTracking(because reason: String, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        if case .moving(let moving) = phase { effects = arrive(moving.arrival(because: reason), at: now) }
        return effects + carryOut([.receiver(isOn: false)], at: now)
            + [.cancel(.check), .cancel(.update), .cancel(.heartbeat), .cancel(.fixTimeout)]
    }
}
