/// A speed, in metres a second.
public struct MetresPerSecond: Quantity {
    /// The number.
    public let value: Double

    /// The symbol of the unit.
    public static let symbol = "m/s"

    /// Makes a quantity of this many units.
    public init(_ value: Double) { self.value = value }
}
