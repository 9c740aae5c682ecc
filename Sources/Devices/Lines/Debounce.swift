package import Quantities

/// Tells a change of an input that lasts from contacts that bounce; each direction has its own time to last.
package struct Debounce: Sendable, Hashable {
    /// How long a level must last before it is believed.
    package struct Times: Sendable, Hashable {
        /// For the active level.
        package var active: Duration
        /// For the other one.
        package var inactive: Duration

        /// Makes a pair of times.
        package init(active: Duration, inactive: Duration) {
            self.active = active
            self.inactive = inactive
        }
    }

    /// What is believed now.
    package private(set) var isActive: Bool
    private let times: Times
    /// Since when the line has been at the other level; nothing while it is at the one that is believed.
    private var changedAt: Instant?

    /// Begins with a level that is believed at once.
    package init(_ times: Times, isActive: Bool) {
        self.times = times
        self.isActive = isActive
    }

    /// When the other level will have lasted long enough; nothing while there is none.
    package var deadline: Instant? { changedAt.map { $0 + (isActive ? times.inactive : times.active) } }

    /// Notes the level of the line, and from when on; gives the levels that have become believed by then, in their order.
    package mutating func note(_ level: Bool, at moment: Instant) -> [Bool] {
        let settled = settle(at: moment)
        if level == isActive {
            changedAt = nil
        } else if changedAt == nil {
            changedAt = moment
        }
        return settled + settle(at: moment)
    }

    /// Gives the other level when it has lasted long enough.
    private mutating func settle(at moment: Instant) -> [Bool] {
        guard let deadline, moment >= deadline else { return [] }
        isActive.toggle()
        changedAt = nil
        return [isActive]
    }
}
