internal import Quantities

/// When the newest record overtakes the others.
struct LiveLane: Sendable, Hashable {
    /// Whether there may be a record that is newer than the last one that overtook.
    var isWanted = false
    private var last: Instant?

    private static let interval: Duration = .seconds(5)

    init(isWanted: Bool = false) { self.isWanted = isWanted }

    func isDue(at now: Instant) -> Bool {
        isWanted && last.map { now - $0 >= Self.interval } ?? true
    }

    mutating func leaves(at now: Instant) {
        isWanted = false
        last = now
    }
}
