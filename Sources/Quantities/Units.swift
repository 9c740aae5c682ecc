//  Quantities: units, instants and coordinates, which all other targets use.
//
//  Pure: imports nothing but the standard library and RealModule (square roots and sines without Foundation).
//  Start reading here, then `Instant` (time since boot), `Timestamp` (UTC) and `Coordinate`.

import RealModule

/// A number with a unit, which adds to and compares with its own kind only.
public protocol Quantity: Sendable, Hashable, Comparable, Codable, AdditiveArithmetic, CustomStringConvertible {
    /// The number, in the unit that the type is named after.
    var value: Double { get }

    /// The symbol of the unit, as written after the number.
    static var symbol: String { get }

    /// Makes a quantity of this many units.
    init(_ value: Double)
}

extension Quantity {
    /// None of it.
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

    /// The ratio of both; infinite or NaN if `right` is zero.
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

/// A length or a distance, in metres.
public struct Metres: Quantity {
    /// The number.
    public let value: Double

    /// The symbol of the unit.
    public static let symbol = "m"

    /// Makes a quantity of this many units.
    public init(_ value: Double) { self.value = value }
}

/// A speed, in metres a second.
public struct MetresPerSecond: Quantity {
    /// The number.
    public let value: Double

    /// The symbol of the unit.
    public static let symbol = "m/s"

    /// Makes a quantity of this many units.
    public init(_ value: Double) { self.value = value }
}

/// An angle or a course, in degrees; courses run clockwise from true north, from 0 up to 360.
package struct Degrees: Quantity {
    /// The number.
    package let value: Double

    /// The symbol of the unit.
    package static let symbol = "°"

    /// Makes a quantity of this many units.
    package init(_ value: Double) { self.value = value }
}

extension Degrees {
    /// The shares of a metre on this course to the east and to the north.
    package var direction: (east: Double, north: Double) {
        let angle = value * .pi / 180
        return (.sin(angle), .cos(angle))
    }

    /// The smaller angle between two courses, from 0 to 180.
    package func turn(from other: Degrees) -> Degrees {
        let difference = (value - other.value).magnitude.truncatingRemainder(dividingBy: 360)
        return Degrees(min(difference, 360 - difference))
    }
}

/// An acceleration, in metres a second squared.
package struct Acceleration: Quantity {
    /// The number.
    package let value: Double

    /// The symbol of the unit.
    package static let symbol = "m/s²"

    /// Makes a quantity of this many units.
    package init(_ value: Double) { self.value = value }
}

/// A voltage, in volts.
package struct Volts: Quantity {
    /// The number.
    package let value: Double

    /// The symbol of the unit.
    package static let symbol = "V"

    /// Makes a quantity of this many units.
    package init(_ value: Double) { self.value = value }
}
