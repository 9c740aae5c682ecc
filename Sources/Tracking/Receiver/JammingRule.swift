import Quantities

/// Detects that an interference jams the receiver.
///
/// The level of jamming is the indicator of u-blox receivers for narrow-band interference (`jamInd` of UBX-MON-HW and
/// UBX-MON-RF): 0 is no interference, and 255 is strong interference.
struct JammingRule: Sendable, Hashable {
    /// The receiver must report the new condition for this time; Teltonika's trackers use the same time.
    private static let confirmation = Duration.seconds(60)
    /// The longest time between two reports of the same jamming.
    private static let longestGap = Duration.seconds(30)

    private struct Series: Sendable, Hashable {
        let began: Instant
        var last: Instant
    }

    private var isJammed = false
    /// The latest reports, if they contradict `isJammed`.
    private var contrary: Series?

    /// Handles a reported level; returns whether the receiver is jammed if this has changed, and nil otherwise.
    ///
    /// A receiver is jammed at `limit` and above; a limit of zero switches the rule off. Only reports without a long gap prove
    /// jamming. The end needs no such reports, because the receiver of a parked vehicle reports only during position checks.
    mutating func handle(_ level: Int, limit: Int, at now: Instant) -> Bool? {
        let isHigh = limit > 0 && level >= limit
        guard isHigh != isJammed else {
            contrary = nil
            return nil
        }
        var series = contrary ?? Series(began: now, last: now)
        if isHigh, now - series.last > Self.longestGap { series = Series(began: now, last: now) }
        series.last = now
        contrary = series
        guard now - series.began >= Self.confirmation else { return nil }
        isJammed = isHigh
        contrary = nil
        return isHigh
    }
}
