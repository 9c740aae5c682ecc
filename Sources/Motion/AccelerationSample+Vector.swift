extension AccelerationSample {
    /// Nothing along any axis.
    package static let zero = AccelerationSample(x: 0, y: 0, z: 0)

    /// The sum.
    package static func + (left: AccelerationSample, right: AccelerationSample) -> AccelerationSample {
        AccelerationSample(x: left.x + right.x, y: left.y + right.y, z: left.z + right.z)
    }

    /// The difference.
    package static func - (left: AccelerationSample, right: AccelerationSample) -> AccelerationSample {
        AccelerationSample(x: left.x - right.x, y: left.y - right.y, z: left.z - right.z)
    }

    /// The vector, `factor` times as long.
    package static func * (left: AccelerationSample, factor: Double) -> AccelerationSample {
        AccelerationSample(x: left.x * factor, y: left.y * factor, z: left.z * factor)
    }

    /// The scalar product: how long this vector is along `axis`, if that has the length 1.
    package func along(_ axis: AccelerationSample) -> Double { x * axis.x + y * axis.y + z * axis.z }

    /// The vector product, which stands upright on both.
    func cross(_ other: AccelerationSample) -> AccelerationSample {
        AccelerationSample(
            x: y * other.z - z * other.y, y: z * other.x - x * other.z, z: x * other.y - y * other.x)
    }

    /// The same direction with the length 1; nothing when there is no direction.
    var normalised: AccelerationSample? {
        let length = magnitude
        return length > 0 ? self * (1 / length) : nil
    }

    /// Whether the angle between the two is wider than the one with this cosine.
    package func isTilted(from other: AccelerationSample, beyondCosine cosine: Double) -> Bool {
        along(other) < cosine * magnitude * other.magnitude
    }
}
