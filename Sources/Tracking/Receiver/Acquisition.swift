import Quantities

/// Searches for the sky while the vehicle moves: a receiver that finds no fix is rested and tried again with growing pauses.
struct Acquisition: Sendable, Hashable {
    /// The first pause; each further one is twice as long.
    private static let firstPause = Duration.seconds(30)
    /// A ferry crosses for hours; looking up every ten minutes costs little and misses little.
    private static let longestPause = Duration.seconds(600)

    private enum State: Sendable, Hashable {
        case searching(since: Instant)
        case tracking(lastFix: Instant)
        case resting
    }

    private let timeout: Duration
    private var state = State.resting
    private var failures = 0

    /// Gives up a search after `timeout`.
    init(timeout: Duration) { self.timeout = timeout }

    /// Whether the receiver rests between two attempts.
    var isResting: Bool { state == .resting }

    /// Begins a search.
    mutating func begin(at now: Instant) -> [Step] {
        state = .searching(since: now)
        return [.receiver(isOn: true), .perform(.arm(.fixTimeout, at: now + timeout))]
    }

    /// Notes a fix.
    mutating func fix(at now: Instant) {
        state = .tracking(lastFix: now)
        failures = 0
    }

    /// The time-out of a search ran out, or that of a fix that should have been followed by others.
    mutating func timedOut(at now: Instant) -> [Step] {
        switch state {
        case .tracking(let last) where now - last < timeout:
            return [.perform(.arm(.fixTimeout, at: last + timeout))]
        case .searching(let since) where now - since < timeout:
            return [.perform(.arm(.fixTimeout, at: since + timeout))]
        case .tracking, .searching:
            return rest(at: now)
        case .resting:
            return []
        }
    }

    private mutating func rest(at now: Instant) -> [Step] {
        let pause = min(Self.firstPause * (1 << min(failures, 10)), Self.longestPause)
        failures += 1
        state = .resting
        let text = "off for \(Int(pause.inSeconds)) s: no fix for \(Int(timeout.inSeconds)) s"
        return [
            .perform(.decided(Decision(.receiver, text))), .receiver(isOn: false),
            .perform(.arm(.acquire, at: now + pause)),
        ]
    }
}
