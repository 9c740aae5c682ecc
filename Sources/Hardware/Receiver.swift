package import Quantities

/// A GPS receiver, seen through whatever reads it: reports `.fix` and `.receiver(isThere:)`.
package protocol Receiver: EventSource {
    /// Wants fixes from now on; does nothing when they are wanted already.
    func start(at now: Instant)

    /// Wants no more fixes: lets go of the device, so that nothing wakes the program; keeps a connection that is silent.
    func stop(at now: Instant)
}
