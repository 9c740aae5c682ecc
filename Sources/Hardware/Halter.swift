package import Quantities

/// Halts the board; as a source it reports nothing, but finds out whether halting was refused.
package protocol Halter: EventSource {
    /// Begins to halt, after the clock was told to wake the board when a time is given; returns at once.
    ///
    /// Whatever is to survive is on disk before this is called.
    func halt(wakeAfter: Duration?, at now: Instant)
}
