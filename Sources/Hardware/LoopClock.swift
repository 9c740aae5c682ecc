package import Quantities

/// The time, as the loop sees it.
package protocol LoopClock: AnyObject {
    /// The present moment.
    func now() -> Instant

    /// What the system clock says in UTC, and whether it has been set by a time server or by GPS.
    func wallTime() -> (time: Timestamp, isTrusted: Bool)

    /// What tells this boot from any other.
    var bootID: String { get }

    /// How long to wait, in real time, until that moment; zero when it has passed.
    func realTime(until moment: Instant) -> Duration
}
