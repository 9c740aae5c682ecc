import Quantities

/// Decides when reads that fail mean that the file is damaged.
///
/// A lost sector of a card fails each time that trackerd reads it. A card that loses contact for a moment also fails, but recovers.
/// SQLite itself reports many such pages as damaged, but not the first page of the file.
struct ReadFaults {
    /// The number of failures that mean damage, if at least `duration` has passed since the first of these failures.
    private static let mostFailures = 3
    private static let duration = Duration.seconds(60)
    /// The system may report one fault several times at once.
    private static let shortestPause = Duration.seconds(1)
    /// After this time without a failure, the count begins again.
    private static let longestPause = Duration.seconds(2 * 3600)

    private var count = 0
    private var first = Instant.boot
    private var last: Instant?

    /// Notes a failure; returns whether it means damage.
    mutating func note(at now: Instant) -> Bool {
        let pause = last.map { now - $0 } ?? .zero
        if last != nil, pause < Self.shortestPause { return false }
        if last == nil || pause > Self.longestPause { (count, first) = (0, now) }
        (count, last) = (count + 1, now)
        guard count >= Self.mostFailures, now - first >= Self.duration else { return false }
        self = ReadFaults()
        return true
    }
}
