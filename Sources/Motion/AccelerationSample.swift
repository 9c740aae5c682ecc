package import Quantities

/// A reading with gravity, along the axes of the chip, in m/s².
package struct AccelerationSample: Sendable, Hashable, Codable {
    package let x: Double
    package let y: Double
    package let z: Double

    package init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// The length of the vector: about 9.8 at rest, however the chip is mounted.
    package var magnitude: Double { (x * x + y * y + z * z).squareRoot() }

    package static let zero = AccelerationSample(x: 0, y: 0, z: 0)

    package static func + (left: AccelerationSample, right: AccelerationSample) -> AccelerationSample {
        AccelerationSample(x: left.x + right.x, y: left.y + right.y, z: left.z + right.z)
    }

    package static func - (left: AccelerationSample, right: AccelerationSample) -> AccelerationSample {
        AccelerationSample(x: left.x - right.x, y: left.y - right.y, z: left.z - right.z)
    }

    package static func * (left: AccelerationSample, factor: Double) -> AccelerationSample {
        AccelerationSample(x: left.x * factor, y: left.y * factor, z: left.z * factor)
    }

    /// The component along `axis`, which must have the length 1.
    package func along(_ axis: AccelerationSample) -> Double { x * axis.x + y * axis.y + z * axis.z }

    func cross(_ other: AccelerationSample) -> AccelerationSample {
        AccelerationSample(x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
    }

    /// Nil for the zero vector.
    var normalised: AccelerationSample? {
        let length = magnitude
        return length > 0 ? self * (1 / length) : nil
    }

    package func isTilted(from other: AccelerationSample, beyondCosine cosine: Double) -> Bool {
        along(other) < cosine * magnitude * other.magnitude
    }
}

extension Acceleration {
    /// Standard gravity (third CGPM, 1901), the unit of accelerations in data sheets.
    package static let gravity = Acceleration(9.80665)

    static func milligravities(_ count: Double) -> Acceleration { gravity * (count / 1000) }

    /// Returns 1 to `limit` steps, rounded up: noise would exceed a threshold of 0, and rounding down would lower the
    /// threshold.
    func steps(of size: Acceleration, atMost limit: UInt8) -> UInt8 {
        let steps = (self / size).rounded(.up)
        return steps > 1 ? UInt8(min(steps, Double(limit))) : 1
    }
}
