// Hardware: the interface between the daemon and the devices. This target contains only protocols, with their values and errors;
// Devices contains the real devices. Start reading here.

package import Quantities
package import Tracking

/// A device for which the loop waits: for a file descriptor, for a moment, or for both.
package protocol EventSource: Device {
    /// The descriptor and the deadline to wait for now; the loop reads this value before each wait.
    var wait: Wait { get }

    /// Does what is possible without blocking, and returns the events that result.
    ///
    /// The loop calls this function when the descriptor is ready or the deadline has passed. A call that is too early has no
    /// effect.
    func advance(at now: Instant) -> [Event]
}

/// The descriptor and the deadline for which an event source waits.
package struct Wait: Sendable, Hashable {
    /// Readiness of a file descriptor.
    package enum Interest: Sendable, Hashable {
        case read(Int32)
        case write(Int32)
        /// The other end closes the connection; data that arrives does not end the wait.
        case hangUp(Int32)
    }

    /// The descriptor that ends the wait as soon as it is ready; nil if no descriptor can end the wait.
    package var interest: Interest?
    /// The latest moment at which the wait ends; nil if there is no limit.
    package var deadline: Instant?

    /// Makes a wait; without arguments, the wait never ends.
    package init(_ interest: Interest? = nil, deadline: Instant? = nil) {
        self.interest = interest
        self.deadline = deadline
    }
}

package protocol LoopClock: AnyObject {
    /// Returns the current moment.
    func now() -> Instant

    /// Returns the system clock in UTC, and whether a time server or GPS has set it.
    func wallTime() -> (time: Timestamp, isTrusted: Bool)

    var bootID: String { get }

    /// Returns the real time that remains until `moment`; zero if this moment has passed.
    func realTime(until moment: Instant) -> Duration

    /// Returns the current moment on a clock that runs at the pace of real time, to measure how long the loop works.
    func realNow() -> Instant

    /// Notes that the loop now waits until `moment`, or without a limit if `moment` is nil.
    func willWait(until moment: Instant?)

    /// The factor by which this clock runs faster than real time.
    var pace: Double { get }
}

extension LoopClock {
    /// Returns the current moment, because only the clock of a simulation differs from real time.
    package func realNow() -> Instant { now() }

    /// Does nothing, because only the clock of a simulation stands still while the computer is busy.
    package func willWait(until moment: Instant?) {}

    /// 1, because only the clock of a simulation runs faster than real time.
    package var pace: Double { 1 }
}
