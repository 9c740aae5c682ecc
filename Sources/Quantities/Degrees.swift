/// An angle or a course, in degrees; courses run clockwise from true north, from 0 up to 360.
public struct Degrees: Quantity {
    /// The number.
    public let value: Double

    /// The symbol of the unit.
    public static let symbol = "°"

    /// Makes a quantity of this many units.
    public init(_ value: Double) { self.value = value }
}
