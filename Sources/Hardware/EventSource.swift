//  Hardware: the interface between the daemon and the devices. This target contains only protocols, their values and their errors;
//  the real devices are in Devices. Start reading here.

package import Quantities
package import Tracking

/// A device that the loop waits for: a file descriptor, a moment, or both.
package protocol EventSource: Device {
    /// What to wait for now; the loop reads this value before each wait.
    var wait: Wait { get }

    /// Does what is possible without blocking, and returns the resulting events.
    ///
    /// The loop calls this when the descriptor is ready or the deadline has passed. A call that comes too early has no effect.
    func advance(at now: Instant) -> [Event]
}

/// What an event source waits for.
package struct Wait: Sendable, Hashable {
    /// Readiness of a file descriptor.
    package enum Interest: Sendable, Hashable {
        case read(Int32)
        case write(Int32)
        /// The other end has closed the connection; data that it sent before does not count.
        case hangUp(Int32)
    }

    /// The descriptor that ends the wait when it is ready; nil if no descriptor ends it.
    package var interest: Interest?
    /// The moment that ends the wait at the latest; nil if there is no limit.
    package var deadline: Instant?

    /// Makes a wait; a wait without arguments never ends.
    package init(_ interest: Interest? = nil, deadline: Instant? = nil) {
        self.interest = interest
        self.deadline = deadline
    }
}

/// The loop's source of time.
package protocol LoopClock: AnyObject {
    /// Returns the current moment.
    func now() -> Instant

    /// Returns the system clock in UTC, and whether a time server or GPS has set it.
    func wallTime() -> (time: Timestamp, isTrusted: Bool)

    /// The identifier of this boot.
    var bootID: String { get }

    /// Returns the real time until `moment`; zero if this moment has passed.
    func realTime(until moment: Instant) -> Duration
}
