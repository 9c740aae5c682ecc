/// Halts the board.
package protocol Halter: Device {
    /// Begins to halt, after the clock was told to wake the board when a time is given; returns at once.
    ///
    /// Whatever is to survive is on disk before this is called.
    func halt(wakeAfter: Duration?)
}
