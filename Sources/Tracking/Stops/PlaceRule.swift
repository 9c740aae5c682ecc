import Quantities

/// Confirms a stop when all fixes of a long enough time lie close together, an idling engine notwithstanding.
struct PlaceRule: Sendable, Hashable {
    private struct Anchor: Sendable, Hashable {
        let place: Position
        let time: Timestamp
    }

    private let duration: Duration
    private let radius: Metres
    private var anchor: Anchor?

    /// Confirms when the fixes of `duration` lie within `radius` of the first of them; never when `duration` is zero.
    init(duration: Duration, radius: Metres) {
        self.duration = duration
        self.radius = radius
    }

    /// Takes a fix in, and since when the vehicle has been at rest; tells whether it has stopped.
    ///
    /// Who shunts in a yard, or creeps in a queue, stays in one place too: it must have stood all that time, or, where the
    /// receiver wanders too much for that, must have stayed three times as long.
    mutating func confirmsStop(_ fix: AcceptedFix, restingSince rest: Timestamp?) -> Bool {
        guard duration > .zero else { return false }
        guard let anchor, !fix.position.isProvablyAway(from: anchor.place, by: radius) else {
            self.anchor = Anchor(place: fix.position, time: fix.time)
            return false
        }
        guard let rest else { return false }
        let stayed = fix.time - anchor.time
        return stayed >= duration && fix.time - rest >= duration || stayed >= duration * 3
    }
}
