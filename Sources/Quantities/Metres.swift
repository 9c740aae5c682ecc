/// A length or a distance, in metres.
public struct Metres: Quantity {
    /// The number.
    public let value: Double

    /// The symbol of the unit.
    public static let symbol = "m"

    /// Makes a quantity of this many units.
    public init(_ value: Double) { self.value = value }
}
