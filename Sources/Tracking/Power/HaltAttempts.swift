import Quantities

/// Spaces the attempts to halt a board that goes on running all the same, since somebody forbids it.
struct HaltAttempts: Sendable, Hashable {
    private static let firstPause = Duration.seconds(600)
    private static let longestPause = Duration.seconds(86_400)
    /// A board that is being halted is off after so long.
    private static let longestHalt = Duration.seconds(300)

    /// How many there were since the vehicle last moved, or had a good battery.
    private(set) var count = 0
    private var began = Instant.boot

    /// Whether one may be made now; the pauses between them double.
    func isDue(at now: Instant) -> Bool {
        count == 0 || now - began >= min(Self.firstPause * (1 << min(count - 1, 10)), Self.longestPause)
    }

    /// Whether the board is on its way down.
    func isUnderWay(at now: Instant) -> Bool { count > 0 && now - began < Self.longestHalt }

    /// One is made.
    mutating func begin(at now: Instant) {
        count += 1
        began = now
    }
}
