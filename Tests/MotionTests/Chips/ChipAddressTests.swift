import Motion
import Testing

@Suite("The addresses of an accelerometer")
struct ChipAddressTests {
    /// As the data sheets have them, the address with the address pin's usual level first.
    private static let addresses: [String: [UInt8]] = [
        "LIS3DH": [0x18, 0x19], "LIS2DH12": [0x18, 0x19], "MPU-6050": [0x68, 0x69], "MPU-6500": [0x68, 0x69],
        "MPU-9250": [0x68, 0x69], "ADXL345": [0x53, 0x1D], "BMI160": [0x68, 0x69], "MMA8452Q": [0x1D, 0x1C],
    ]

    @Test("Every chip is looked for at the addresses of its data sheet.", arguments: Accelerometers.names)
    func dataSheet(model: String) throws {
        let expected = model.hasPrefix("LSM6DS") ? [0x6A, 0x6B] : try #require(Self.addresses[model])
        #expect(Accelerometers.named(model)?.addresses == expected)
    }
}
