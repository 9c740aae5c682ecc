import Quantities

/// In this period a parked board is not halted for `haltAfter`. The monotonic clock ends it, so a change of the date
/// does not matter. After a boot, which resets that clock, the date ends the period once it is trusted. Even if the
/// date is wrong, the period never lasts longer than requested from the boot on.
package struct AwakePeriod: Sendable, Hashable, Codable {
    package static let longest = Duration.seconds(86_400)

    private var span: Duration
    private(set) var until: Timestamp
    /// Nil if the period is from an earlier boot and was not evaluated since.
    private(set) var end: Instant?
    /// The boot whose monotonic clock `end` uses.
    private var bootID: String?
    /// The period is from an earlier boot, and no trusted date has set its end yet.
    private var isDateDue = false

    /// A longer `span` than `longest` is shortened.
    init(lasting span: Duration, at now: Instant, _ time: UTCTime, bootID: String?) {
        self.span = min(span, Self.longest)
        until = time.time + self.span
        end = now + self.span
        self.bootID = bootID
    }

    /// Continues the period after a start in the boot `current`.
    mutating func `continue`(inBoot current: String?) {
        span = min(span, Self.longest)
        guard current == nil || bootID != current else { return }
        (bootID, end, isDateDue) = (current, nil, true)
    }

    /// Call it whenever the date may have become trusted or been corrected.
    mutating func follow(_ time: UTCTime, at now: Instant) {
        var end = min(end ?? now + span, now + span)
        if isDateDue {
            self.end = end
            guard time.isTrusted else { return }
            end = min(end, now + max(.zero, until - time.time))
            isDateDue = false
        }
        self.end = end
        until = time.time + (end - now)
    }

    /// False until the first `follow` after a boot.
    func isOver(at now: Instant) -> Bool { end.map { now >= $0 } ?? false }
}
