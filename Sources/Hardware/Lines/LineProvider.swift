package import Quantities

/// What gives out the lines of GPIO chips: the kernel, or a simulation.
package protocol LineProvider: AnyObject {
    /// Takes a line as output, which is at that level from the first moment on.
    func output(_ line: LineReference, _ level: OutputLevel) throws(LineError) -> any OutputLine

    /// Takes a line as input that reports its changes.
    func input(_ line: LineReference) throws(LineError) -> any InputLine
}

/// A line that is driven, or let go of; it is given back to the kernel when the object is.
package protocol OutputLine: AnyObject {
    /// Drives the line, or makes an input of it.
    func set(_ level: OutputLevel) throws(LineError)
}

/// What an output can be.
package enum OutputLevel: String, Sendable, Hashable, CaseIterable {
    case active, inactive
    /// An input that drives nothing.
    case floating
}

/// A line that is listened to; it is given back to the kernel when the object is.
package protocol InputLine: AnyObject {
    /// Readable while there are edges that nobody has read.
    var descriptor: Int32 { get }

    /// The level now.
    func isActive() throws(LineError) -> Bool

    /// The edges since the last call, the oldest first; never blocks.
    func edges() throws(LineError) -> [LineEdge]
}

/// A change of an input.
package struct LineEdge: Sendable, Hashable {
    /// What the line changed to.
    package var isActive: Bool
    /// When, by the kernel.
    package var moment: Instant

    /// Makes an edge.
    package init(isActive: Bool, at moment: Instant) {
        self.isActive = isActive
        self.moment = moment
    }
}
