import Quantities

/// Reads u-blox' indicator of narrow-band interference (`jamInd` of UBX-MON-HW and UBX-MON-RF): 0 is none, 255 strong.
struct JammingRule: Sendable, Hashable {
    /// As in Teltonika's trackers.
    private static let confirmation = Duration.seconds(60)
    /// The longest gap between two reports of the same jamming.
    private static let longestGap = Duration.seconds(30)

    private struct Series: Sendable, Hashable {
        let began: Instant
        var last: Instant
    }

    private var isJammed = false
    /// The reports that contradict `isJammed`.
    private var contrary: Series?

    /// Nil without a change. A receiver is jammed at `limit` and above; a limit of zero switches the rule off. Only
    /// reports without a long gap prove jamming. Its end needs none, because the receiver of a parked vehicle reports
    /// only during position checks.
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
