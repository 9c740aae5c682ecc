import Foundation
import Motion
import TestSupport
import Testing

@Suite("The catalogue of accelerometers")
struct CatalogueTests {
    @Test("has a row for every file beside it, and a file for every row")
    func files() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let names = try FileManager.default.contentsOfDirectory(atPath: root.path + "/Sources/Motion/Chips")
        let drivers = Set(names.map { $0.replacingOccurrences(of: ".swift", with: "") })
            .subtracting(["Accelerometer", "Catalogue"])
        #expect(!drivers.isEmpty)
        #expect(Set(Accelerometers.rows.map { String(describing: type(of: $0)) }) == drivers)
    }

    @Test("names every model once, and each can be simulated")
    func names() {
        #expect(Set(Accelerometers.names).count == Accelerometers.rows.count)
        #expect(FakeSilicons.rows.map(\.model) == Accelerometers.names)
    }

    @Test(
        "finds a model by its name, however it is spelt",
        arguments: [
            ("lis3dh", "LIS3DH"), ("mpu6050", "MPU-6050"), ("Mpu-6500", "MPU-6500"), ("lsm6dS3TR-c", "LSM6DS3TR-C"),
        ])
    func named(name: String, model: String) {
        #expect(Accelerometers.named(name)?.model == model)
    }

    @Test("finds nothing by another name", arguments: ["", "LIS3", "MPU-6000", "LIS3DHX"])
    func unknown(name: String) {
        #expect(Accelerometers.named(name) == nil)
    }

    @Test(
        "names the models that may answer at an address",
        arguments: [(0x18, ["LIS3DH", "LIS2DH12"]), (0x1D, ["ADXL345", "MMA8452Q"]), (0x77, [])] as [(UInt8, [String])])
    func candidates(address: UInt8, models: [String]) {
        #expect(Accelerometers.candidates(at: address).map(\.model) == models)
    }
}
