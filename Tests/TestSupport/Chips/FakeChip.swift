package import Motion

/// An accelerometer chip that is not there: registers that behave, in a world that somebody else moves.
///
/// It has no clock: `feed` is a moment of its output rate. It answers on the level of I²C messages, so that it can
/// stand behind a register bus and behind an adapter of the kernel alike.
package final class FakeChip {
    private let make: () -> any FakeSilicon
    private var silicon: any FakeSilicon
    private var pointer: UInt8 = 0

    /// Whether it gives the same sample for ever, as chips do that have hung.
    package var isFrozen = false

    /// Makes a chip of this kind, just switched on and at rest.
    package init(_ make: @escaping () -> any FakeSilicon) {
        self.make = make
        silicon = make()
    }

    /// Makes a chip of a model of the catalogue.
    package convenience init?(model: String) {
        guard let make = FakeSilicons.rows.first(where: { $0.model == model })?.make else { return nil }
        self.init(make)
    }

    /// Takes a message: the register pointer, and what goes into the registers from there on.
    package func write(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        pointer = first
        for byte in bytes.dropFirst() {
            silicon.write(byte, at: pointer)
            pointer = silicon.pointer(after: pointer)
        }
    }

    /// Gives bytes from the register pointer on.
    package func read(count: Int) -> [UInt8] {
        (0..<max(0, count)).map { _ in
            let byte = silicon.read(at: pointer)
            pointer = silicon.pointer(after: pointer)
            return byte
        }
    }

    /// Lets it measure this acceleration.
    package func feed(_ sample: AccelerationSample) {
        if !isFrozen { silicon.parts.world = sample }
        silicon.measure()
    }

    /// Whether it pulls its interrupt line.
    package var isInterruptActive: Bool { silicon.isInterruptActive }

    /// Takes its supply away and gives it back: every register is what it was at power-on, the world is the same.
    package func losePower() {
        let world = silicon.parts.world
        silicon = make()
        silicon.parts.world = world
        pointer = 0
    }

    /// Makes it say that it is another chip.
    package func disguise(as identity: UInt8) {
        silicon.parts.registers[type(of: silicon).identityRegister] = identity
    }
}

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
