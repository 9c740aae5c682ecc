package import Quantities

/// NXP's MMA8452Q, which has no FIFO; numbers are from its data sheet.
///
/// It streams a sample a read: whoever reads `rate` times a second or more often gets every one, once.
package struct MMA8452Q: Accelerometer {
    package let model = "MMA8452Q"
    package let addresses: [UInt8] = [0x1D, 0x1C]
    /// The slowest rate but 6.25 Hz and 1.56 Hz, since every sample costs a wake-up of the program.
    package let rate = 12.5
    package let depth = 1

    private enum Register {
        /// STATUS, and OUT_X_MSB to OUT_Z_LSB after it.
        static let status: UInt8 = 0x00
        static let identity: UInt8 = 0x0D
        static let format: UInt8 = 0x0E
        static let highPass: UInt8 = 0x0F
        static let transientControl: UInt8 = 0x1D
        static let transientSource: UInt8 = 0x1E
        static let transientThreshold: UInt8 = 0x1F
        static let transientCount: UInt8 = 0x20
        static let control1: UInt8 = 0x2A
        static let control2: UInt8 = 0x2B
        static let control3: UInt8 = 0x2C
        static let control4: UInt8 = 0x2D
        static let control5: UInt8 = 0x2E
    }

    /// Mechanical characteristics: 256 counts a g at ±8 g, left-justified in 16 bits.
    ///
    /// ±8 g, so that the blows of a road are not cut off; 4 mg a count is fine enough for a vehicle at rest.
    private static let step = Acceleration.milligravities(1000.0 / 256 / 16)

    /// Register 0x1F: one step of the threshold, at every range.
    private static let thresholdStep = Acceleration.milligravities(63)

    /// How long a transient must last, in steps of 20 ms (table 35): 0.3 s.
    ///
    /// The high-pass filter starts at nothing and needs 0.22 s until less than a step is left of gravity, which would
    /// count as motion otherwise.
    private static let transientCount: UInt8 = 15

    package func identify(on bus: some RegisterBus) throws(ChipError) {
        try bus.expect([0x2A], at: Register.identity, of: model)
    }

    package func stream(on bus: some RegisterBus) throws(ChipError) {
        try standBy(bus)
        try bus.program([(Register.control1, 0x29)])
    }

    package func readSamples(on bus: some RegisterBus) throws(ChipError) -> SampleBatch {
        // One transfer, so that the status belongs to the sample.
        let bytes = try bus.get(Register.status, count: 7)
        guard let status = bytes.first, status & 0x08 != 0 else { return SampleBatch([]) }
        return SampleBatch(raw: Array(bytes.dropFirst()), .bigEndian, step: Self.step, isOverrun: status & 0x80 != 0)
    }

    package func watch(above threshold: Acceleration, on bus: some RegisterBus) throws(ChipError) {
        try standBy(bus)
        try bus.program([
            // Any axis, latched, behind the high-pass filter; the filter ends at 2 Hz (table 18).
            (Register.transientControl, 0x1E), (Register.highPass, 0x00),
            (Register.transientThreshold, threshold.steps(of: Self.thresholdStep, atMost: 0x7F)),
            (Register.transientCount, Self.transientCount),
            // The transient interrupt, on INT1.
            (Register.control5, 0x20), (Register.control4, 0x20),
            // 12.5 Hz, active.
            (Register.control1, 0x29),
        ])
    }

    package func takeWake(on bus: some RegisterBus) throws(ChipError) -> Bool {
        try bus.get(Register.transientSource) & 0x40 != 0
    }

    /// Stops measuring, as it must to be set up (register 0x2A), takes the last sample away and lets the interrupt
    /// line go.
    private func standBy(_ bus: some RegisterBus) throws(ChipError) {
        try bus.program([
            (Register.control1, 0x00), (Register.control4, 0x00), (Register.transientControl, 0x00),
            // ±8 g; normal oversampling: 24 µA at 12.5 Hz; interrupts active high, push-pull.
            (Register.format, 0x02), (Register.control2, 0x00), (Register.control3, 0x02),
        ])
        _ = try bus.get(Register.status, count: 7)
        _ = try bus.get(Register.transientSource)
    }
}
