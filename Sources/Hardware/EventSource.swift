//  Hardware: what the daemon asks of devices. Protocols and their values only; the real ones are in Devices, the
//  recorded ones in Recordings, and the fakes in Tests/TestSupport.

package import Quantities
package import Tracking

/// Something that the loop waits for: a file descriptor, a moment, or both.
package protocol EventSource: Device {
    /// What to wait for now; asked anew before each wait.
    var wait: Wait { get }

    /// Does what can be done without waiting, because the descriptor is ready or the deadline has passed, and tells what came of it.
    ///
    /// Called whenever the wait ended for this source; may be called too early and then does nothing. Never blocks.
    func advance(at now: Instant) -> [Event]
}

/// What a source waits for.
package struct Wait: Sendable, Hashable {
    /// Readiness of a file descriptor.
    package enum Interest: Sendable, Hashable {
        case read(Int32)
        case write(Int32)
        /// The other end is gone; what it may have sent meanwhile does not matter.
        case hangUp(Int32)
    }

    /// Wake when this is ready.
    package var interest: Interest?
    /// Wake at this moment at the latest.
    package var deadline: Instant?

    /// Waits for what is given; for nothing when nothing is.
    package init(_ interest: Interest? = nil, deadline: Instant? = nil) {
        self.interest = interest
        self.deadline = deadline
    }
}
