package import Quantities
package import Tracking

/// A GPS receiver, seen through whatever reads it: reports `.fix` and `.receiver(isThere:)`.
package protocol Receiver: EventSource {
    /// Wants fixes from now on; does nothing when they are wanted already.
    func start(at now: Instant)

    /// Wants no more fixes: lets go of the device, so that nothing wakes the program; keeps a connection that is silent.
    func stop(at now: Instant)

    /// What can be tried when it is lost, beside switching it off and on; gentler ones first.
    var revivals: [ReceiverRevival] { get }

    /// Tries to bring it back; called for one of `revivals` only.
    func revive(_ revival: ReceiverRevival, at now: Instant)
}

extension Receiver {
    /// Nothing, when a receiver does not say otherwise.
    package var revivals: [ReceiverRevival] { [] }

    /// Does nothing, when a receiver does not say otherwise.
    package func revive(_ revival: ReceiverRevival, at now: Instant) {}
}
