/// What was found about a GPIO line.
package enum LineFacts: Sendable, Hashable {
    /// No chip has that label; these labels there are.
    case noChip(labels: [String])
    /// The chip may not be opened.
    case forbidden
    /// The chip has no such line; these are the names of those that it has.
    case noLine(names: [String])
    /// Somebody has the line: what that calls itself, and the program if it could be found.
    case held(by: String, program: String?)
    /// The line can be had.
    case free
}
