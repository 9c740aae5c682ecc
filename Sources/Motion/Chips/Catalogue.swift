/// To add a model, add a file to this folder and a row here.
package enum Accelerometers {
    package static let rows: [any Accelerometer] = [
        LIS3DH(model: "LIS3DH"),
        LIS3DH(model: "LIS2DH12"),
        ADXL345(),
        MPU6050.mpu6050,
        MPU6050.mpu6500,
        MPU6050.mpu9250,
        MMA8452Q(),
        LSM6DS3.lsm6ds3,
        LSM6DS3.lsm6ds3trc,
        LSM6DS3.lsm6dso,
        BMI160(),
    ]

    package static var names: [String] { rows.map(\.model) }

    /// Ignores case and hyphens, so `mpu6050` is the MPU-6050.
    package static func named(_ name: String) -> (any Accelerometer)? {
        rows.first { plain($0.model) == plain(name) }
    }

    package static func candidates(at address: UInt8) -> [any Accelerometer] {
        rows.filter { $0.addresses.contains(address) }
    }

    private static func plain(_ name: String) -> String {
        name.lowercased().filter { $0 != "-" }
    }
}
