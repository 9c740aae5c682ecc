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

    /// Takes a fix in; tells whether the vehicle has stopped.
    mutating func confirmsStop(_ fix: AcceptedFix) -> Bool {
        guard duration > .zero else { return false }
        guard let anchor, !fix.position.isProvablyAway(from: anchor.place, by: radius) else {
            self.anchor = Anchor(place: fix.position, time: fix.time)
            return false
        }
        return fix.time - anchor.time >= duration
    }
}
