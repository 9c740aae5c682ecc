/// An acceleration, in metres a second squared.
public struct Acceleration: Quantity {
    /// The number.
    public let value: Double

    /// The symbol of the unit.
    public static let symbol = "m/s²"

    /// Makes a quantity of this many units.
    public init(_ value: Double) { self.value = value }
}
