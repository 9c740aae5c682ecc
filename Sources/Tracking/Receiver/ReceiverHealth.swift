import Quantities

/// Notices a receiver that has fallen silent or repeats itself, says so, and tries to bring it back.
///
/// First by what the board has for that, once each, then by cutting its supply for a moment, again and again.
struct ReceiverHealth: Sendable, Hashable {
    /// Reports come each second; after this long without one the receiver is lost.
    private static let silence = Duration.seconds(30)
    /// A report that has said the same for this long comes from a receiver that hangs.
    private static let repetition = Duration.seconds(10)
    /// A lost receiver is brought back, or power-cycled, after this long; the pauses double from there.
    private static let firstPause = Duration.seconds(60)
    private static let longestPause = Duration.seconds(3600)
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
    /// How often that was tried since it was heard last; what switches it off and on meanwhile does not change that.
    private var attempts = 0
    private var last: Report?

    /// Watches a receiver for which the board has these means, beside its supply.
    init(_ recoveries: [ReceiverRecovery] = []) { self.recoveries = recoveries }

    /// The receiver was switched.
    mutating func power(isOn: Bool, at now: Instant) -> [Step] {
        if case .cut = state { return [] }
        guard isOn else {
            state = .off
            return [.perform(.cancel(.health))]
        }
        state = .heard(at: now)
        if !isReportedLost { last = nil }
        return [.perform(.arm(.health, at: now + Self.silence))]
    }

    /// The receiver said something.
    mutating func report(_ fix: Fix, at now: Instant) -> [Step] {
        let isRepeated = repeats(fix)
        if !isRepeated { last = Report(time: fix.time, place: fix.coordinate, since: now) }
        switch state {
        case .heard, .lost:
            if isRepeated { return repeated(at: now) }
            let isBack = isReportedLost
            let wasHeard = if case .heard = state { true } else { false }
            state = .heard(at: now)
            isReportedLost = false
            attempts = 0
            return (isBack ? [.record(.providerchange(ProviderChange(.available)))] : [])
                + (wasHeard ? [] : [.perform(.arm(.health, at: now + Self.silence))])
        case .off, .cut:
            return []
        }
    }

    /// Whether a report says nothing new; one that was lost must show a later time, to be believed again.
    private func repeats(_ fix: Fix) -> Bool {
        guard let time = fix.time, let last, let earlier = last.time else { return false }
        return isReportedLost ? time <= earlier : time == earlier && fix.coordinate == last.place
    }

    private mutating func repeated(at now: Instant) -> [Step] {
        guard case .heard = state, let last, isReportedLost || now - last.since >= Self.repetition else { return [] }
        return lose(.frozen, at: now)
    }

    /// The timer of the watch ran out.
    mutating func timer(at now: Instant) -> [Step] {
        switch state {
        case .heard(let last):
            guard now - last >= Self.silence else { return [.perform(.arm(.health, at: last + Self.silence))] }
            return lose(.silent, at: now)
        case .lost(let until) where now < until, .cut(let until) where now < until:
            return [.perform(.arm(.health, at: until))]
        case .lost: return attempt(at: now)
        case .cut:
            let until = now + pause
            state = .lost(until: until)
            // Armed first: whoever gives the supply back may find that nobody wants the receiver any more.
            return [.perform(.arm(.health, at: until)), .cutReceiver(false)]
        case .off:
            return []
        }
    }

    private mutating func attempt(at now: Instant) -> [Step] {
        attempts += 1
        guard attempts > recoveries.count else { return recover(recoveries[attempts - 1], at: now) }
        let until = now + Self.cut
        state = .cut(until: until)
        return [
            .perform(.decided(Decision(.receiver, "power-cycled, attempt \(attempts)"))), .cutReceiver(true),
            .perform(.arm(.health, at: until)),
        ]
    }

    private mutating func recover(_ recovery: ReceiverRecovery, at now: Instant) -> [Step] {
        let until = now + pause
        state = .lost(until: until)
        let what =
            switch recovery {
            case .reopen: "reopened"
            case .reset: "reset"
            }
        return [
            .perform(.decided(Decision(.receiver, "\(what), attempt \(attempts)"))), .perform(.recover(recovery)),
            .perform(.arm(.health, at: until)),
        ]
    }

    private var pause: Duration { min(Self.firstPause * (1 << min(attempts, 10)), Self.longestPause) }

    private mutating func lose(_ how: ProviderChange.State, at now: Instant) -> [Step] {
        let until = now + pause
        state = .lost(until: until)
        let isNews = !isReportedLost
        isReportedLost = true
        return (isNews ? [.record(.providerchange(ProviderChange(how)))] : []) + [
            .perform(.decided(Decision(.receiver, "lost: it is \(how.rawValue)"))),
            .perform(.arm(.health, at: until)),
        ]
    }
}
