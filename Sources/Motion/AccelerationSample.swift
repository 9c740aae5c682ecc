/// One reading of an accelerometer, gravity included, along the axes of the chip, in m/s².
package struct AccelerationSample: Sendable, Hashable, Codable {
    /// Along the chip's x axis.
    package let x: Double
    /// Along the chip's y axis.
    package let y: Double
    /// Along the chip's z axis.
    package let z: Double

    /// Makes a reading.
    package init(x: Double, y: Double, z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// The length of the vector: about 9.8 at rest, however the chip is mounted.
    package var magnitude: Double { (x * x + y * y + z * z).squareRoot() }
}
