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

    /// The almanac that a receiver has never had takes 12.5 minutes to come down (IS-GPS-200, 20.3.3: 25 frames of 30 s).
    static let almanac = Duration.seconds(900)

    private let usualTimeout: Duration
    private let isCold: Bool
    private var state = State.resting
    private var failures = 0
    private var lastFailure: Instant?

    /// Gives up a search after `timeout`; a receiver that has never had a fix is given the time for an almanac from the
    /// second search on.
    init(timeout: Duration, isCold: Bool) {
        usualTimeout = timeout
        self.isCold = isCold
    }

    /// How long a search may take that is the next after so many failures.
    static func timeout(_ usual: Duration, isCold: Bool, failures: Int) -> Duration {
        isCold && failures > 0 ? max(usual, almanac) : usual
    }

    private var timeout: Duration { Self.timeout(usualTimeout, isCold: isCold, failures: failures) }

    /// Whether a search has failed since that moment.
    func hasFailed(since moment: Instant) -> Bool { lastFailure.map { $0 >= moment } ?? false }

    /// Whether the receiver rests between two attempts.
    var isResting: Bool { state == .resting }

    /// Begins a search.
    mutating func begin(at now: Instant) -> [Step] {
        state = .searching(since: now)
        return [.receiver(isOn: true), .perform(.arm(.fixTimeout, at: now + timeout))]
    }

    /// Notes a fix; tells when it is the first after a search that had failed.
    mutating func fix(at now: Instant) -> [Step] {
        // One that is there for another reason, while the receiver rests, ends no rest.
        if !isResting { state = .tracking(lastFix: now) }
        defer { failures = 0 }
        return failures > 0 ? [.record(.providerchange(ProviderChange(.available)))] : []
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
        let text = "off for \(Int(pause.inSeconds)) s: no fix for \(Int(timeout.inSeconds)) s"
        let isNews = failures == 0
        failures += 1
        lastFailure = now
        state = .resting
        return (isNews ? [.record(.providerchange(ProviderChange(.noFix)))] : []) + [
            .perform(.decided(Decision(.receiver, text))), .receiver(isOn: false),
            .perform(.arm(.acquire, at: now + pause)),
        ]
    }
}
