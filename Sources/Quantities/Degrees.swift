import RealModule

/// An angle or a course, in degrees; courses run clockwise from true north, from 0 up to 360.
public struct Degrees: Quantity {
    /// The number.
    public let value: Double

    /// The symbol of the unit.
    public static let symbol = "°"

    /// Makes a quantity of this many units.
    public init(_ value: Double) { self.value = value }
}

extension Degrees {
    /// What one metre on this course is to the east and to the north.
    public var direction: (east: Double, north: Double) {
        let angle = value * .pi / 180
        return (.sin(angle), .cos(angle))
    }

    /// The smaller angle between two courses, from 0 to 180.
    public func turn(from other: Degrees) -> Degrees {
        let difference = (value - other.value).magnitude.truncatingRemainder(dividingBy: 360)
        return Degrees(min(difference, 360 - difference))
    }
}
