import Quantities

/// Records at the latest after a while.
enum IntervalRule {
    /// Whether it is time; nothing when the rule is off.
    static func wants(_ elapsed: Duration, interval: Duration) -> Bool? {
        guard interval > .zero else { return nil }
        return elapsed < .zero || elapsed >= interval
    }
}
