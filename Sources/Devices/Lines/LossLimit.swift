package import Hardware
package import Quantities

/// How long a power-fail input may be active before the input itself is at fault.
///
/// After a real failure the board runs on for a few seconds, and then the program ends. A line that is active for longer is
/// wired or configured wrong, whether it is active all the time or again and again. Each further failure is still reported,
/// because it may be real, but it lasts only for a short time.
package struct LossLimit: Sendable, Hashable {
    /// The time for which the line may be active without a minute of rest; C2 and C3 last for less than 5 s (docs/supply.md).
    package static let longest = Duration.seconds(60)
    /// The time for which a failure counts while the input is at fault.
    package static let brief = Duration.seconds(5)
    /// The time without failures after which the input counts as good again.
    package static let rest = Duration.seconds(60)
    /// The number of failures without a minute of rest after which the input is at fault, and further failures do not count.
    package static let most = 10

    /// Whether the input is at fault.
    package private(set) var isExceeded = false
    private var isActive = false
    /// When the line changed to the present level.
    private var since = Instant.boot
    /// The time for which the line was active before `since`, and the number of failures, both since the last rest.
    private var spent = Duration.zero
    private var losses = 0
    /// Whether the present failure has lasted too long.
    private var isOver = false

    /// Makes a limit for an input that has not failed yet.
    package init() {}

    /// When `expire` must be called; nil if the line may remain as it is.
    package var deadline: Instant? {
        guard isActive else { return isExceeded ? since + Self.rest : nil }
        return isOver ? nil : since + (isExceeded ? Self.brief : max(.zero, Self.longest - spent))
    }

    /// Notes the level of the line; returns whether an active level counts as a failure of the supply.
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

/// The power-fail input is active, but the supply does not end.
package struct EndlessLossError: Fault {
    package let line: LineReference

    package var severity: FaultSeverity { .degraded }
    package var subject: String { "GPIO \(line)" }
    package var cause: String {
        "the power-fail input reports that the supply fails, but the supply does not end; uploads go on"
    }
    package var remedy: String? {
        "Check the comparator, its wire, and `activeLow` of `powerFail`, or write `powerFail: none` if nothing is connected."
    }
}
