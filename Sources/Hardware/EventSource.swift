// Hardware: the interface between the daemon and the devices, which has only protocols, values and errors. The module
// Devices implements the protocols. Start reading here.

package import Quantities
package import Tracking

package protocol EventSource: Device {
    /// The loop reads this before each wait.
    var wait: Wait { get }

    /// Does what is possible without blocking. The loop calls this when the descriptor is ready or the deadline has
    /// passed; a call before that has no effect.
    func advance(at now: Instant) -> [Event]
}

package struct Wait: Sendable, Hashable {
    package enum Interest: Sendable, Hashable {
        case read(Int32)
        case write(Int32)
        /// Data that arrives does not end the wait.
        case hangUp(Int32)
    }

    /// Nil if no descriptor can end the wait.
    package var interest: Interest?
    /// Nil without a limit.
    package var deadline: Instant?

    package init(_ interest: Interest? = nil, deadline: Instant? = nil) {
        self.interest = interest
        self.deadline = deadline
    }
}

package protocol LoopClock: AnyObject {
    func now() -> Instant

    /// UTC, and whether a time server or GPS has set the clock.
    func wallTime() -> (time: Timestamp, isTrusted: Bool)

    var bootID: String { get }

    /// Zero if the moment has passed.
    func realTime(until moment: Instant) -> Duration

    /// Keeps the pace of real time, to measure how long a turn of the loop takes.
    func realNow() -> Instant

    /// The loop calls this before each wait; nil means a wait without a limit.
    func willWait(until moment: Instant?)

    /// How many times faster than real time this clock runs.
    var pace: Double { get }
}

extension LoopClock {
    package func realNow() -> Instant { now() }

    package func willWait(until moment: Instant?) {}

    package var pace: Double { 1 }
}
