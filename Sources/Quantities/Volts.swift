/// An electric tension, in volts.
public struct Volts: Quantity {
    /// The number.
    public let value: Double

    /// The symbol of the unit.
    public static let symbol = "V"

    /// Makes a quantity of this many units.
    public init(_ value: Double) { self.value = value }
}
