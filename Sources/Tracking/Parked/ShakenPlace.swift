import Quantities

/// Limits the position checks that motion causes at a place where a start was false, for example because of wind or a busy
/// road.
struct ShakenPlace: Sendable, Hashable {
    /// How long a check continues after its first fix while the motion lasts.
    ///
    /// A driver who has started the engine drives off within this time.
    static let watch = Duration.seconds(15)
    /// The pauses between checks.
    ///
    /// The first pause is longer than most gusts. With the longest pause, the receiver is on for about a tenth of the time in a
    /// gale.
    private static let pauses = Backoff(first: .seconds(30), longest: .seconds(120))
    /// After this time without a check, the first pause applies again.
    private static let memory = Duration.seconds(600)

    private var lastCheck: Instant?
    private var checks = 0

    /// Returns whether motion may cause a check now; for motion that is stronger than usual at this place, only the first pause
    /// applies.
    func mayCheck(isStrong: Bool, at now: Instant) -> Bool {
        guard let lastCheck else { return true }
        return now - lastCheck >= (isStrong ? Self.pauses.first : Self.pauses.pause(afterFailures: checks))
    }

    /// Counts a check that found the vehicle where it was parked.
    mutating func noteCheck(at now: Instant) {
        checks = lastCheck.map { now - $0 > Self.memory } ?? true ? 1 : checks + 1
        lastCheck = now
    }
}
