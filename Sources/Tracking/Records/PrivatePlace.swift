package import Quantities

/// A circle in which the tracker records no position.
package struct PrivatePlace: Sendable, Hashable {
    package let centre: Coordinate
    package let radius: Metres

    /// The distance between the place and the circle of the error from which a vehicle that was inside counts as outside.
    ///
    /// Without this margin, the noise of the receiver would begin and end a private period again and again at the border.
    private static let margin = Metres(25)

    package init(centre: Coordinate, radius: Metres) {
        self.centre = centre
        self.radius = radius
    }

    /// Whether the vehicle may be in the circle, because the circle of the position's error touches it.
    func mayContain(_ position: Position, wasInside: Bool = false) -> Bool {
        let slack = position.error + (wasInside ? Self.margin : .zero)
        return centre.distance(to: position.coordinate) <= radius + slack
    }

    /// Whether the circle contains a coordinate.
    func contains(_ place: Coordinate) -> Bool { centre.distance(to: place) <= radius }
}
