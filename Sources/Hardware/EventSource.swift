//  Hardware: what the daemon needs of devices. Protocols, their values and their errors only; the real devices are in Devices.
//  Start reading here.

package import Quantities
package import Tracking

/// A device that the loop waits for: a file descriptor, a moment, or both.
package protocol EventSource: Device {
    /// What to wait for now; the loop reads it before each wait.
    var wait: Wait { get }

    /// Does what can be done without blocking, and returns the events that resulted.
    ///
    /// The loop calls this when the descriptor is ready or the deadline has passed. A call that comes too early does nothing.
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

    /// The descriptor whose readiness ends the wait; nil if none does.
    package var interest: Interest?
    /// The moment that ends the wait at the latest; nil if none does.
    package var deadline: Instant?

    /// Makes a wait; without arguments it never ends.
    package init(_ interest: Interest? = nil, deadline: Instant? = nil) {
        self.interest = interest
        self.deadline = deadline
    }
}

/// The time, as the loop sees it.
package protocol LoopClock: AnyObject {
    /// The present moment.
    func now() -> Instant

    /// The system clock in UTC, and whether a time server or GPS has set it.
    func wallTime() -> (time: Timestamp, isTrusted: Bool)

    /// The identifier of this boot.
    var bootID: String { get }

    /// The real time until that moment; zero if it has passed.
    func realTime(until moment: Instant) -> Duration
}
