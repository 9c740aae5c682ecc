import Foundation
import Motion
import TestSupport
import Testing

@Suite("The catalogue of accelerometers")
struct CatalogueTests {
    @Test("The catalogue of accelerometers has a row for every driver file, and a file for every row.")
    func files() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let names = try FileManager.default.contentsOfDirectory(atPath: root.path + "/Sources/Motion/Chips")
        let drivers = Set(names.map { $0.replacingOccurrences(of: ".swift", with: "") })
            .subtracting(["Accelerometer", "Catalogue"])
        #expect(!drivers.isEmpty)
        #expect(Set(Accelerometers.rows.map { String(describing: type(of: $0)) }) == drivers)
    }

    @Test("The catalogue of accelerometers names every model once, and each model has a simulated chip.")
    func names() {
        #expect(Set(Accelerometers.names).count == Accelerometers.rows.count)
        #expect(FakeSilicons.rows.map(\.model) == Accelerometers.names)
    }

    @Test(
        "The catalogue of accelerometers finds a model in any spelling of its name.",
        arguments: [
            ("lis3dh", "LIS3DH"), ("mpu6050", "MPU-6050"), ("Mpu-6500", "MPU-6500"), ("lsm6dS3TR-c", "LSM6DS3TR-C"),
        ])
    func named(name: String, model: String) {
        #expect(Accelerometers.named(name)?.model == model)
    }

    @Test(
        "The catalogue of accelerometers returns nil for an unknown name.",
        arguments: ["", "LIS3", "MPU-6000", "LIS3DHX"])
    func unknown(name: String) {
        #expect(Accelerometers.named(name) == nil)
    }

    @Test(
        "The catalogue of accelerometers lists the models that may answer at an address.",
        arguments: [(0x18, ["LIS3DH", "LIS2DH12"]), (0x1D, ["ADXL345", "MMA8452Q"]), (0x77, [])] as [(UInt8, [String])])
    func candidates(address: UInt8, models: [String]) {
        #expect(Accelerometers.candidates(at: address).map(\.model) == models)
    }

    /// The addresses in the data sheets; the address for the usual level of the address pin is first.
    private static let addresses: [String: [UInt8]] = [
        "LIS3DH": [0x18, 0x19], "LIS2DH12": [0x18, 0x19], "MPU-6050": [0x68, 0x69], "MPU-6500": [0x68, 0x69],
        "MPU-9250": [0x68, 0x69], "ADXL345": [0x53, 0x1D], "BMI160": [0x68, 0x69], "MMA8452Q": [0x1D, 0x1C],
    ]

    @Test("Every accelerometer is searched at the addresses in its data sheet.", arguments: Accelerometers.names)
    func dataSheet(model: String) throws {
        let expected = model.hasPrefix("LSM6DS") ? [0x6A, 0x6B] : try #require(Self.addresses[model])
        #expect(Accelerometers.named(model)?.addresses == expected)
    }
}
