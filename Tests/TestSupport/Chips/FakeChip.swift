package import Motion

/// The chip has no clock, so each call of `feed` is one sample at the chip's output data rate. The chip answers I²C messages,
/// so it works behind a register bus and behind an adapter of the kernel.
package final class FakeChip {
    private let make: () -> any FakeSilicon
    private var silicon: any FakeSilicon
    private var pointer: UInt8 = 0

    /// Whether the chip repeats the same sample, like a chip that hangs.
    package var isFrozen = false
    package var isWriteProtected = false

    /// Makes a chip that was just switched on, at rest.
    package init(_ make: @escaping () -> any FakeSilicon) {
        self.make = make
        silicon = make()
    }

    package convenience init?(model: String) {
        guard let make = FakeSilicons.rows.first(where: { $0.model == model })?.make else { return nil }
        self.init(make)
    }

    /// Receives a message: the register pointer, then the bytes for the registers from the pointer on.
    package func write(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        pointer = first
        for byte in bytes.dropFirst() {
            if !isWriteProtected { silicon.write(byte, at: pointer) }
            pointer = silicon.pointer(after: pointer)
        }
    }

    /// Returns this number of bytes, starting at the register pointer.
    package func read(count: Int) -> [UInt8] {
        (0..<max(0, count)).map { _ in
            let byte = silicon.read(at: pointer)
            pointer = silicon.pointer(after: pointer)
            return byte
        }
    }

    package func feed(_ sample: AccelerationSample) {
        if !isFrozen { silicon.parts.world = sample }
        silicon.measure()
    }

    package var isInterruptActive: Bool { silicon.isInterruptActive }

    /// Whether the interrupt pin is high: if the pin is active high, during an interrupt; if it is active low, without one.
    package var isPinHigh: Bool { silicon.isInterruptActive || silicon.isIdleHigh && !silicon.parts.isAwake }

    /// Cuts the supply and restores it; this resets the registers, and the acceleration remains.
    package func losePower() {
        let world = silicon.parts.world
        silicon = make()
        silicon.parts.world = world
        pointer = 0
    }

    package func disguise(as identity: UInt8) {
        silicon.parts.registers[type(of: silicon).identityRegister] = identity
    }
}

/// The fake of each model in the catalogue.
///
/// A new fake needs a file in this folder and a row here.
package enum FakeSilicons {
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
