import Quantities

/// Decides when failing reads mean that the file is damaged.
///
/// If a card has lost a sector, every read of the sector fails. If a card loses contact for a moment, reads also fail, but only for
/// that moment. SQLite itself reports many lost pages as damaged, but not the first page of the file.
struct ReadFaults {
    /// The number of failures that mean damage, if the first of them is at least `duration` ago.
    private static let mostFailures = 3
    private static let duration = Duration.seconds(60)
    /// A failure within this time after the last counted failure does not count, because the system may report one fault
    /// several times.
    private static let shortestPause = Duration.seconds(1)
    /// After this time without a failure, the count begins again.
    private static let longestPause = Duration.seconds(2 * 3600)

    private var count = 0
    private var first = Instant.boot
    private var last: Instant?

    /// Notes a failure; returns whether the failures so far mean damage.
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
