/// What boots a board again that has been halted.
package enum WakeUp: String, Sendable, Hashable, CaseIterable {
    /// The accelerometer's interrupt line, on the pin that boots this board.
    case line
    /// The board's real-time clock, at a moment that is set before the halt.
    case clock
    /// The supply, which something outside cuts and gives back.
    case supply
}
