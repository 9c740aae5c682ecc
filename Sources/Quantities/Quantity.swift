//  Quantities: the units, instants and coordinates that everything else is written in.
//
//  Pure: imports nothing but the standard library and RealModule (square roots and sines without Foundation).
//  Start reading here, then `Instant` (time since boot), `Timestamp` (UTC) and `Coordinate`.

/// A number with a unit: adds and compares with its own kind only.
public protocol Quantity: Sendable, Hashable, Comparable, Codable, AdditiveArithmetic, CustomStringConvertible {
    /// The number, in the unit that the type is named after.
    var value: Double { get }

    /// The symbol of the unit, as written after the number.
    static var symbol: String { get }

    /// Makes a quantity of this many units.
    init(_ value: Double)
}

extension Quantity {
    /// Nothing of it.
    public static var zero: Self { Self(0) }

    /// The size without the sign.
    public var magnitude: Self { Self(value.magnitude) }

    /// The number and its unit, such as `12.5 m`.
    public var description: String { "\(value) \(Self.symbol)" }

    /// The sum.
    public static func + (left: Self, right: Self) -> Self { Self(left.value + right.value) }

    /// The difference.
    public static func - (left: Self, right: Self) -> Self { Self(left.value - right.value) }

    /// The quantity, `factor` times.
    public static func * (left: Self, factor: Double) -> Self { Self(left.value * factor) }

    /// How many times `right` fits into `left`; infinite or NaN when `right` is zero.
    public static func / (left: Self, right: Self) -> Double { left.value / right.value }

    /// Whether `left` is the smaller one.
    public static func < (left: Self, right: Self) -> Bool { left.value < right.value }

    /// Reads the bare number.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Double.self))
    }

    /// Writes the bare number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}
