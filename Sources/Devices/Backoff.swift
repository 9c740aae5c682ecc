/// Pauses that double from one second to a minute, for something that is tried again and again.
package struct Backoff: Sendable, Hashable {
    /// The pause after the first failure.
    package static let shortest: Duration = .seconds(1)
    /// The pause that does not grow any more.
    package static let longest: Duration = .seconds(60)

    private var coming = Backoff.shortest

    /// Begins with the shortest pause.
    package init() {}

    /// The pause to make now; the one after it is twice as long.
    package mutating func next() -> Duration {
        defer { coming = min(coming * 2, Self.longest) }
        return coming
    }

    /// Begins anew, because it worked.
    package mutating func reset() { coming = Self.shortest }
}
