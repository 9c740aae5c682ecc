import DequeModule
import Quantities

/// No two fixes of a duration are provably farther apart than `distance`.
struct PlaceWindow: Sendable, Hashable {
    private let duration: Duration
    private let distance: Metres
    private var fixes = Deque<AcceptedFix>()

    init(duration: Duration, distance: Metres) {
        self.duration = duration
        self.distance = distance
    }

    /// They cover the whole duration and are close together.
    mutating func isFilled(by fix: AcceptedFix) -> Bool {
        // The date was corrected, so the stored fixes have wrong dates.
        if let last = fixes.last, fix.time <= last.time { fixes.removeAll() }
        let apart = fixes.lastIndex { fix.position.isProvablyAway(from: $0.position, by: distance) }
        if let apart { fixes.removeFirst(apart + 1) }
        fixes.append(fix)
        while fixes.count > 1, fix.time - fixes[1].time >= duration { fixes.removeFirst() }
        return fix.time - fixes[0].time >= duration
    }
}
