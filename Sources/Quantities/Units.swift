// Quantities: units, instants and coordinates, which all other targets use. Only the standard library and RealModule
// (square roots and sines without Foundation) are imported. Start reading here; `Instant` is time since boot,
// `Timestamp` is UTC.

import RealModule

/// Only quantities of the same kind can be added or compared.
public protocol Quantity: Sendable, Hashable, Comparable, Codable, AdditiveArithmetic, CustomStringConvertible {
    /// In the unit of the type's name.
    var value: Double { get }

    static var symbol: String { get }

    init(_ value: Double)
}

extension Quantity {
    public static var zero: Self { Self(0) }

    public var magnitude: Self { Self(value.magnitude) }

    /// Such as `12.5 m`.
    public var description: String { "\(value) \(Self.symbol)" }

    public static func + (left: Self, right: Self) -> Self { Self(left.value + right.value) }

    public static func - (left: Self, right: Self) -> Self { Self(left.value - right.value) }

    public static func * (left: Self, factor: Double) -> Self { Self(left.value * factor) }

    /// Infinite or NaN if `right` is zero.
    public static func / (left: Self, right: Self) -> Double { left.value / right.value }

    public static func < (left: Self, right: Self) -> Bool { left.value < right.value }

    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Double.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

public struct Metres: Quantity {
    public let value: Double

    public static let symbol = "m"

    public init(_ value: Double) { self.value = value }
}

public struct MetresPerSecond: Quantity {
    public let value: Double

    public static let symbol = "m/s"

    public init(_ value: Double) { self.value = value }
}

/// Courses count clockwise from true north, from 0 up to 360.
package struct Degrees: Quantity {
    package let value: Double

    package static let symbol = "°"

    package init(_ value: Double) { self.value = value }

    /// The components of one metre on this course.
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

/// In metres per second squared.
package struct Acceleration: Quantity {
    package let value: Double

    package static let symbol = "m/s²"

    package init(_ value: Double) { self.value = value }
}

package struct Volts: Quantity {
    package let value: Double

    package static let symbol = "V"

    package init(_ value: Double) { self.value = value }

    /// The voltage rounded to hundredths, for messages.
    package var rounded: Volts { Volts((value * 100).rounded() / 100) }
}
