/// How each model of the catalogue behaves; a new one is a file beside this one and a row here.
package enum FakeSilicons {
    /// The rows.
    package static let rows: [(model: String, make: @Sendable () -> any FakeSilicon)] = [
        ("LIS3DH", { FakeLIS3DH() }),
        ("LIS2DH12", { FakeLIS3DH() }),
        ("ADXL345", { FakeADXL345() }),
    ]
}
