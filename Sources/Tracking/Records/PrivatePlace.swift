package import Quantities

/// A circle in which the tracker records no position.
package struct PrivatePlace: Sendable, Hashable {
    package let centre: Coordinate
    package let radius: Metres

    /// A vehicle that was inside counts as outside when the circle of its position's error is this far from the place.
    /// Without the margin, noise would begin and end a private period again and again at the border.
    private static let margin = Metres(25)

    package init(centre: Coordinate, radius: Metres) {
        self.centre = centre
        self.radius = radius
    }

    /// Whether the circle of the position's error touches this circle.
    func mayContain(_ position: Position, wasInside: Bool = false) -> Bool {
        let slack = position.error + (wasInside ? Self.margin : .zero)
        return centre.distance(to: position.coordinate) <= radius + slack
    }

    func contains(_ place: Coordinate) -> Bool { centre.distance(to: place) <= radius }
}
