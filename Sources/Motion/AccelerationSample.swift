package import Quantities

/// One reading of an accelerometer, gravity included, along the axes of the chip, in m/s².
package struct AccelerationSample: Sendable, Hashable, Codable {
    /// Along the chip's x axis.
    package let x: Double
    /// Along the chip's y axis.
    package let y: Double
    /// Along the chip's z axis.
    package let z: Double

    package init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// The length of the vector: about 9.8 at rest, however the chip is mounted.
    package var magnitude: Double { (x * x + y * y + z * z).squareRoot() }
}

extension AccelerationSample {
    /// Zero along each axis.
    package static let zero = AccelerationSample(x: 0, y: 0, z: 0)

    /// Returns the sum.
    package static func + (left: AccelerationSample, right: AccelerationSample) -> AccelerationSample {
        AccelerationSample(x: left.x + right.x, y: left.y + right.y, z: left.z + right.z)
    }

    /// Returns the difference.
    package static func - (left: AccelerationSample, right: AccelerationSample) -> AccelerationSample {
        AccelerationSample(x: left.x - right.x, y: left.y - right.y, z: left.z - right.z)
    }

    /// Returns the vector multiplied by `factor`.
    package static func * (left: AccelerationSample, factor: Double) -> AccelerationSample {
        AccelerationSample(x: left.x * factor, y: left.y * factor, z: left.z * factor)
    }

    /// Returns the scalar product, which is this vector's component along `axis` if `axis` has the length 1.
    package func along(_ axis: AccelerationSample) -> Double { x * axis.x + y * axis.y + z * axis.z }

    /// Returns the vector product, which is perpendicular to both vectors.
    func cross(_ other: AccelerationSample) -> AccelerationSample {
        AccelerationSample(
            x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
    }

    /// The vector of length 1 in this direction; nil for the zero vector.
    var normalised: AccelerationSample? {
        let length = magnitude
        return length > 0 ? self * (1 / length) : nil
    }

    /// Returns whether the angle between the two vectors is larger than the angle whose cosine is `cosine`.
    package func isTilted(from other: AccelerationSample, beyondCosine cosine: Double) -> Bool {
        along(other) < cosine * magnitude * other.magnitude
    }
}

extension Acceleration {
    /// Standard gravity (third CGPM, 1901), the unit of accelerations in data sheets.
    package static let gravity = Acceleration(9.80665)

    /// Returns `count` thousandths of standard gravity.
    static func milligravities(_ count: Double) -> Acceleration { gravity * (count / 1000) }

    /// Returns the number of steps of this size that reach this acceleration, rounded up, and limited to the range from
    /// 1 to `limit`.
    ///
    /// Noise would exceed a threshold of 0, and rounding down would set a lower threshold than requested.
    func steps(of size: Acceleration, atMost limit: UInt8) -> UInt8 {
        let steps = (self / size).rounded(.up)
        return steps > 1 ? UInt8(min(steps, Double(limit))) : 1
    }
}
