/// How each model of the catalogue behaves; a new one is a file beside this one and a row here.
package enum FakeSilicons {
    /// The rows.
    package static let rows: [(model: String, make: @Sendable () -> any FakeSilicon)] = [
        ("LIS3DH", { FakeLIS3DH() }),
        ("LIS2DH12", { FakeLIS3DH() }),
        ("ADXL345", { FakeADXL345() }),
        ("MPU-6050", { FakeMPU6050(identity: 0x68, fifo: 1024) }),
        ("MPU-6500", { FakeMPU6050(identity: 0x70, fifo: 512) }),
        ("MPU-9250", { FakeMPU6050(identity: 0x71, fifo: 512) }),
        ("MMA8452Q", { FakeMMA8452Q() }),
        ("LSM6DS3", { FakeLSM6DS3(identity: 0x69, fifo: 8192) }),
        ("LSM6DS3TR-C", { FakeLSM6DS3(identity: 0x6A, fifo: 4096) }),
        ("LSM6DSO", { FakeLSM6DS3(identity: 0x6C, fifo: 3584) }),
        ("BMI160", { FakeBMI160() }),
    ]
}
