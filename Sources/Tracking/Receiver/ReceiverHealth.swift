import Quantities

/// Finds a receiver that stops reporting or repeats one report. Then tries each of `recoveries` once, and after that cuts
/// the supply again and again.
struct ReceiverHealth: Sendable, Hashable {
    /// A working receiver reports each second; the reports of a logger may be up to `longestPace` apart.
    private static let shortestSilence = Duration.seconds(30)
    private static let longestPace = Duration.seconds(120)
    /// The receiver is lost after a silence of 2.5 of its intervals, but not before `shortestSilence`.
    private static let patience = 2.5
    private static let repetition = Duration.seconds(10)
    private static let backoff = Backoff(first: .seconds(60), longest: .seconds(3600))
    /// The length of a power cut, in which the capacitors of a receiver lose their charge.
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
    /// The attempts since the last new report; switching the receiver does not reset them.
    private var attempts = 0
    private var last: Report?
    /// When the last report came (nil if none has since the receiver was switched on), and the interval before it.
    private var lastAt: Instant?
    private var interval = Duration.zero

    /// `recoveries` do not include the power cut.
    init(_ recoveries: [ReceiverRecovery] = []) { self.recoveries = recoveries }

    mutating func power(isOn: Bool, at now: Instant, into effects: inout EffectBuffer) {
        if case .cut = state { return }
        lastAt = nil
        guard isOn else {
            state = .off
            return effects.cancel(.health)
        }
        state = .heard(at: now)
        if !isReportedLost { last = nil }
        effects.arm(.health, at: now + silence)
    }

    /// If the result is false, the caller must call `report`.
    mutating func isUsual(_ fix: Fix, at now: Instant) -> Bool {
        guard case .heard = state, !isReportedLost, !repeats(fix) else { return false }
        last = Report(time: fix.time, place: fix.coordinate, since: now)
        state = .heard(at: now)
        attempts = 0
        noteInterval(at: now)
        return true
    }

    private mutating func noteInterval(at now: Instant) {
        if let lastAt, now - lastAt <= Self.longestPace { interval = now - lastAt }
        lastAt = now
    }

    private var silence: Duration { max(Self.shortestSilence, interval * Self.patience) }

    /// Handles a report, which may lack a position. `isFrozen` is true if only the time advances.
    mutating func report(
        _ fix: Fix, isFrozen: Bool = false, provider: inout ProviderLog, _ logbook: Logbook, in turn: inout Turn
    ) {
        let now = turn.now
        noteInterval(at: now)
        let isRepeated = isFrozen || repeats(fix)
        if !isRepeated { last = Report(time: fix.time, place: fix.coordinate, since: now) }
        let wasHeard = if case .heard = state { true } else { false }
        switch state {
        case .heard, .lost:
            if isRepeated {
                guard wasHeard, isFrozen || isReportedLost || last.map({ now - $0.since >= Self.repetition }) ?? false
                else { return }
                return lose(.frozen, provider: &provider, logbook, in: &turn)
            }
            state = .heard(at: now)
            attempts = 0
            if isReportedLost { provider.note(.available, logbook, in: &turn) }
            isReportedLost = false
            if !wasHeard { turn.effects.arm(.health, at: now + silence) }
        case .off, .cut:
            return
        }
    }

    /// Returns whether the report repeats the last one. After a loss, a time is new only if it is later than the last
    /// one; a report without a time always counts as new.
    private func repeats(_ fix: Fix) -> Bool {
        guard let time = fix.time, let last, let earlier = last.time else { return false }
        return isReportedLost ? time <= earlier : time == earlier && fix.coordinate == last.place
    }

    mutating func timer(
        demand: inout ReceiverDemand, provider: inout ProviderLog, _ logbook: Logbook, in turn: inout Turn
    ) {
        let now = turn.now
        switch state {
        case .heard(let last) where now - last < silence:
            turn.effects.arm(.health, at: last + silence)
        case .heard:
            lose(.silent, provider: &provider, logbook, in: &turn)
        case .lost(let until) where now < until, .cut(let until) where now < until:
            turn.effects.arm(.health, at: until)
        case .lost:
            attempt(demand: &demand, at: now, into: &turn.effects)
        case .cut:
            let until = now + pause
            state = .lost(until: until)
            // Arm the timer before the supply is restored, because `power` cancels it if no user needs the receiver.
            turn.effects.arm(.health, at: until)
            demand.cut(false, at: now, into: &turn.effects)
            if !demand.isOn { power(isOn: false, at: now, into: &turn.effects) }
        case .off:
            break
        }
    }

    private mutating func attempt(demand: inout ReceiverDemand, at now: Instant, into effects: inout EffectBuffer) {
        attempts += 1
        guard attempts > recoveries.count else { return recover(recoveries[attempts - 1], at: now, into: &effects) }
        let until = now + Self.cut
        state = .cut(until: until)
        effects.decide(.receiver, "power-cycled, attempt \(attempts)")
        demand.cut(true, at: now, into: &effects)
        effects.arm(.health, at: until)
    }

    private mutating func recover(_ recovery: ReceiverRecovery, at now: Instant, into effects: inout EffectBuffer) {
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
        _ how: ProviderChange.State, provider: inout ProviderLog, _ logbook: Logbook, in turn: inout Turn
    ) {
        let until = turn.now + pause
        state = .lost(until: until)
        if !isReportedLost { provider.note(how, logbook, in: &turn) }
        isReportedLost = true
        turn.effects.decide(.receiver, "lost: it is \(how.rawValue)")
        turn.effects.arm(.health, at: until)
    }
}

struct ProviderLog: Sendable, Hashable {
    private var state = ProviderChange.State.available
    private var canBeSwitched = true

    /// While the receiver is lost, `noFix` is ignored.
    mutating func note(_ new: ProviderChange.State, _ logbook: Logbook, in turn: inout Turn) {
        let isLost = state == .silent || state == .frozen
        guard new != state, !(isLost && new == .noFix) else { return }
        state = new
        logbook.record(.providerchange(ProviderChange(new)), in: &turn)
    }

    /// Once the receiver can be switched again, its last state is recorded.
    mutating func noteLines(canBeSet: Bool, _ logbook: Logbook, in turn: inout Turn) {
        guard canBeSet != canBeSwitched else { return }
        canBeSwitched = canBeSet
        turn.effects.decide(.receiver, canBeSet ? "can be switched again" : "cannot be switched: a line cannot be set")
        let change = ProviderChange(canBeSet ? state : .unswitchable)
        logbook.record(.providerchange(change), in: &turn)
    }
}
