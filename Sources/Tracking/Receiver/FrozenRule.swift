import Quantities

/// A receiver that has lost its satellites may repeat its last solution with a running date, although its speed states
/// that it moves. The rule compares the distance that the speeds claim with the distance from the first place. A place
/// that is repeated at a low speed does not count: many receivers do this on purpose while the vehicle stands.
struct FrozenRule: Sendable, Hashable {
    /// A receiver that repeats its place for this time is frozen.
    private static let patience = Duration.seconds(10)
    /// After a longer pause, a report does not continue the earlier ones.
    private static let pause = Duration.seconds(5)
    /// Places within this share of the claimed distance, up to `widest`, count as one, because a frozen solution may
    /// tremble.
    private static let share = 0.2
    private static let widest = Metres(20)

    private struct Hold: Sendable, Hashable {
        let place: Coordinate
        let date: Timestamp?
        let began: Instant
        var claimed = Metres.zero
    }

    private var hold: Hold?
    private var lastPlace: Coordinate?
    private var lastAt = Instant.boot
    /// True if reports without a position have come since the last one with a position, as after a restart of the
    /// receiver.
    private var hasSearched = false
    /// If this report ends a repeated place, the date of the first report there; otherwise nil.
    private(set) var heldSince: Timestamp?
    private(set) var isFrozen = false

    mutating func take(_ fix: Fix, at now: Instant) {
        heldSince = nil
        guard fix.hasPlace, let place = fix.coordinate else {
            hasSearched = true
            return
        }
        let isContinued = !hasSearched && now - lastAt <= Self.pause
        defer { (lastPlace, lastAt, hasSearched) = (place, now, false) }
        let speed = fix.speed ?? .zero
        if !isFrozen, !isContinued { hold = nil }
        if var hold {
            if isContinued { hold.claimed = hold.claimed + Metres(speed.value * (now - lastAt).inSeconds) }
            let reach = min(Self.widest, max(Fix.onePlace, Metres(hold.claimed.value * Self.share)))
            // The speed of a frozen receiver may decay, but only a new solution has other digits.
            let isClaim = speed >= Fix.leastClaim || isFrozen && !hasSearched && place == lastPlace
            if isClaim, hold.place.distance(to: place) <= reach {
                self.hold = hold
                isFrozen = isFrozen || now - hold.began >= Self.patience
                return
            }
            heldSince = hold.date
        }
        isFrozen = false
        hold = speed >= Fix.leastClaim ? Hold(place: place, date: fix.time, began: now) : nil
    }
}

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
    private var contrary: Series?

    /// Returns whether the receiver is jammed if this has changed, otherwise nil. A level is high from `limit` on; a limit
    /// of zero switches the rule off. Only reports without a long gap prove jamming. The end may follow a gap, because the
    /// receiver of a parked vehicle reports only during position checks.
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
