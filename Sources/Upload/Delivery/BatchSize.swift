/// How many records go into one request: grows while the link is quick, shrinks when it is slow or the server objects.
struct BatchSize: Sendable, Hashable {
    /// The size for the next request.
    private(set) var current: Int
    private let maximum: Int
    /// What the server has not objected to; lifted when the record that it objected to is out of the way.
    private var ceiling: Int

    private static let first = 10
    /// A request that took this long is too big for the link.
    private static let slow: Duration = .seconds(15)
    private static let quick: Duration = .seconds(5)

    init(maximum: Int) {
        self.maximum = maximum
        current = min(Self.first, maximum)
        ceiling = maximum
    }

    mutating func delivered(in time: Duration) {
        if time >= Self.slow {
            current = max(1, current / 2)
        } else if time <= Self.quick {
            current = min(ceiling, current * 2)
        }
    }

    /// The request failed with the link: a smaller one may pass.
    mutating func failed() { current = max(1, current / 2) }

    /// The server will not take these: half as many are tried, so that after some halving the culprit is alone.
    mutating func refused(_ count: Int) {
        ceiling = max(1, count / 2)
        current = ceiling
    }

    mutating func culpritFound() { ceiling = maximum }
}
