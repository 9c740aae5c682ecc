import Quantities

/// Detects a receiver that has fallen silent or repeats itself, and tries to recover it.
///
/// It tries each means of the board once, then cuts the supply for a moment, again and again.
struct ReceiverHealth: Sendable, Hashable {
    /// Reports come each second; after this long without one the receiver is lost.
    private static let silence = Duration.seconds(30)
    /// A receiver that repeats its report for this time hangs.
    private static let repetition = Duration.seconds(10)
    /// A lost receiver is brought back, or power-cycled, after this long; the pauses double from there.
    private static let backoff = Backoff(first: .seconds(60), longest: .seconds(3600))
    /// Long enough for the capacitors of a receiver to empty.
    private static let cut = Duration.seconds(5)

    private enum State: Sendable, Hashable {
        case off
        case heard(at: Instant)
        case lost(until: Instant)
        case cut(until: Instant)
    }

    private struct Report: Sendable, Hashable {
        let time: Timestamp?
        let place: Coordinate?
        let since: Instant
    }

    private let recoveries: [ReceiverRecovery]
    private var state = State.off
    private var isReportedLost = false
    /// Attempts to recover it since it was heard last; switching it off and on does not reset them.
    private var attempts = 0
    private var last: Report?

    /// Watches a receiver for which the board has these means, beside its supply.
    init(_ recoveries: [ReceiverRecovery] = []) { self.recoveries = recoveries }

    /// Notes that the receiver was switched.
    mutating func power(isOn: Bool, at now: Instant, into effects: inout EffectBuffer) {
        if case .cut = state { return }
        guard isOn else {
            state = .off
            return effects.cancel(.health)
        }
        state = .heard(at: now)
        if !isReportedLost { last = nil }
        effects.arm(.health, at: now + Self.silence)
    }

    /// Whether a receiver that works has sent a new report, which is then taken in; if not, `report` takes it in.
    mutating func isUsual(_ fix: Fix, at now: Instant) -> Bool {
        guard case .heard = state, !isReportedLost, !repeats(fix) else { return false }
        last = Report(time: fix.time, place: fix.coordinate, since: now)
        state = .heard(at: now)
        attempts = 0
        return true
    }

    /// Takes a report of the receiver in, also one without a position.
    mutating func report(
        _ fix: Fix, provider: inout ProviderLog, _ context: Context, _ logbook: Logbook,
        into effects: inout EffectBuffer
    ) {
        let now = context.now
        let isRepeated = repeats(fix)
        if !isRepeated { last = Report(time: fix.time, place: fix.coordinate, since: now) }
        let wasHeard = if case .heard = state { true } else { false }
        switch state {
        case .heard, .lost:
            if isRepeated {
                guard wasHeard, let last, isReportedLost || now - last.since >= Self.repetition else { return }
                return lose(.frozen, provider: &provider, context, logbook, into: &effects)
            }
            state = .heard(at: now)
            attempts = 0
            if isReportedLost { provider.note(.available, context, logbook, into: &effects) }
            isReportedLost = false
            if !wasHeard { effects.arm(.health, at: now + Self.silence) }
        case .off, .cut:
            return
        }
    }

    /// Whether a report contains nothing new; a receiver that was lost must report a later time to be believed again.
    private func repeats(_ fix: Fix) -> Bool {
        guard let time = fix.time, let last, let earlier = last.time else { return false }
        return isReportedLost ? time <= earlier : time == earlier && fix.coordinate == last.place
    }

    /// Handles the timer of the watch.
    mutating func timer(
        demand: inout ReceiverDemand, provider: inout ProviderLog, _ context: Context, _ logbook: Logbook,
        into effects: inout EffectBuffer
    ) {
        let now = context.now
        switch state {
        case .heard(let last) where now - last < Self.silence:
            effects.arm(.health, at: last + Self.silence)
        case .heard:
            lose(.silent, provider: &provider, context, logbook, into: &effects)
        case .lost(let until) where now < until, .cut(let until) where now < until:
            effects.arm(.health, at: until)
        case .lost:
            attempt(demand: &demand, at: now, into: &effects)
        case .cut:
            let until = now + pause
            state = .lost(until: until)
            // Armed first: when the supply is back, it may turn out that nobody wants the receiver any more.
            effects.arm(.health, at: until)
            demand.cut(false, at: now, into: &effects)
            if !demand.isOn { power(isOn: false, at: now, into: &effects) }
        case .off:
            break
        }
    }

    private mutating func attempt(demand: inout ReceiverDemand, at now: Instant, into effects: inout EffectBuffer) {
        attempts += 1
        guard attempts > recoveries.count else {
            return recover(recoveries[attempts - 1], at: now, into: &effects)
        }
        let until = now + Self.cut
        state = .cut(until: until)
        effects.decide(.receiver, "power-cycled, attempt \(attempts)")
        demand.cut(true, at: now, into: &effects)
        effects.arm(.health, at: until)
    }

    private mutating func recover(
        _ recovery: ReceiverRecovery, at now: Instant, into effects: inout EffectBuffer
    ) {
        let until = now + pause
        state = .lost(until: until)
        let what =
            switch recovery {
            case .reopen: "reopened"
            case .reset: "reset"
            }
        effects.decide(.receiver, "\(what), attempt \(attempts)")
        effects.append(.recover(recovery))
        effects.arm(.health, at: until)
    }

    private var pause: Duration { Self.backoff.pause(afterFailures: attempts + 1) }

    private mutating func lose(
        _ how: ProviderChange.State, provider: inout ProviderLog, _ context: Context, _ logbook: Logbook,
        into effects: inout EffectBuffer
    ) {
        let until = context.now + pause
        state = .lost(until: until)
        if !isReportedLost { provider.note(how, context, logbook, into: &effects) }
        isReportedLost = true
        effects.decide(.receiver, "lost: it is \(how.rawValue)")
        effects.arm(.health, at: until)
    }
}

/// What may bring a receiver back that is lost, before its supply is cut; gentler ones first.
package enum ReceiverRecovery: String, Sendable, Hashable, CaseIterable {
    /// Take its device from whatever reads it, and give it back.
    case reopen
    /// Reset it, its orbits and clock being kept.
    case reset
}

/// Records changes of the receiver, each once: heard, lost, without a fix, or not switchable.
struct ProviderLog: Sendable, Hashable {
    private var state = ProviderChange.State.available
    private var canBeSwitched = true

    /// Records a state that differs from the last one; a receiver that is lost has no fix, which is no event of its own.
    mutating func note(
        _ new: ProviderChange.State, _ context: Context, _ logbook: Logbook, into effects: inout EffectBuffer
    ) {
        let isLost = state == .silent || state == .frozen
        guard new != state, !(isLost && new == .noFix) else { return }
        state = new
        logbook.record(.providerchange(ProviderChange(new)), context, into: &effects)
    }

    /// Records that the receiver cannot be switched, or its last state when it can be again.
    mutating func noteLines(
        canBeSet: Bool, _ context: Context, _ logbook: Logbook, into effects: inout EffectBuffer
    ) {
        guard canBeSet != canBeSwitched else { return }
        canBeSwitched = canBeSet
        effects.decide(.receiver, canBeSet ? "can be switched again" : "cannot be switched: a line cannot be set")
        let change = ProviderChange(canBeSet ? state : .unswitchable)
        logbook.record(.providerchange(change), context, into: &effects)
    }
}
