package import Hardware
package import Quantities

/// Limits how long a failure of the supply can last. After a real failure the board runs on for a few seconds, and then
/// the program ends. An input that is active for longer than `longest`, constantly or in sum, or more than `most`
/// times, is wired or configured wrong. Further failures, up to `most` in all, are still reported, because they may be
/// real, but each counts only for `brief`.
package struct LossLimit: Sendable, Hashable {
    /// The longest active time without a minute of rest; the capacitors C2 and C3 supply the board for less than 5 s
    /// (docs/supply.md).
    package static let longest = Duration.seconds(60)
    /// How long a failure counts while the input is at fault.
    package static let brief = Duration.seconds(5)
    /// After this time without failures, the input is good again.
    package static let rest = Duration.seconds(60)
    /// After this number of failures without a minute of rest, the input is at fault, and further ones do not count.
    package static let most = 10

    package private(set) var isExceeded = false
    private var isActive = false
    private var since = Instant.boot
    /// The active time since the last rest, up to `since`.
    private var spent = Duration.zero
    private var losses = 0
    private var isOver = false

    package init() {}

    package var deadline: Instant? {
        guard isActive else { return isExceeded ? since + Self.rest : nil }
        return isOver ? nil : since + (isExceeded ? Self.brief : max(.zero, Self.longest - spent))
    }

    /// Returns whether an active level counts as a failure of the supply.
    package mutating func note(_ level: Bool, at now: Instant) -> Bool {
        guard level != isActive, !(isOver && level) else { return !isOver }
        if level {
            if now - since >= Self.rest { (spent, losses, isExceeded) = (.zero, 0, false) }
            losses += 1
            if losses > Self.most { isExceeded = true }
        } else {
            spent += now - since
        }
        (isActive, since, isOver) = (level, now, false)
        return losses <= Self.most
    }

    /// Returns whether a failure has just lasted too long; also ends the fault of an input after its rest.
    package mutating func expire(at now: Instant) -> Bool {
        guard let deadline, now >= deadline else { return false }
        guard isActive else {
            (spent, losses, isExceeded) = (.zero, 0, false)
            return false
        }
        (isOver, isExceeded) = (true, true)
        return true
    }
}

package struct EndlessLossError: Fault {
    package let line: LineReference

    package var severity: FaultSeverity { .degraded }
    package var subject: String { "GPIO \(line)" }
    package var cause: String {
        "the power-fail input reports a failing supply, but the supply lasts; uploads continue"
    }
    package var remedy: String? {
        "Check the comparator, its wire, and `activeLow` of `powerFail`, or write `powerFail: none` if nothing is connected."
    }
}
