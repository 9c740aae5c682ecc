package import Quantities

/// NXP's MMA8452Q; numbers are from its data sheet. It has no FIFO: a read returns the newest sample, so reading at
/// least `rate` times a second misses none.
package struct MMA8452Q: Accelerometer {
    package let model = "MMA8452Q"
    package let addresses: [UInt8] = [0x1D, 0x1C]
    /// A slow rate, because every sample wakes the program; only 1.56 and 6.25 Hz are slower.
    package let rate = 12.5
    package let depth = 1

    private enum Register {
        /// STATUS, followed by OUT_X_MSB to OUT_Z_LSB.
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

    /// Table "Mechanical characteristics": 256 counts per g at ±8 g, left-justified in 16 bits. The range does not clip
    /// road shocks, and 4 mg per count is fine enough for a vehicle at rest.
    private static let step = Acceleration.milligravities(1000.0 / 256 / 16)

    /// Register 0x1F: one step of the threshold, at every range.
    private static let thresholdStep = Acceleration.milligravities(63)

    /// The maximum, 8 g, at which the chip detects no motion while it streams.
    private static let deaf: UInt8 = 0x7F

    /// The settings are the same for a stream and a watch. The high-pass filter starts at zero when the chip becomes
    /// active, and must have settled on gravity when the watch begins, so the chip stays active between the two. The
    /// threshold can change in active mode (note 3 of the register address map).
    private static let settings: [(register: UInt8, value: UInt8)] = [
        // The high-pass filter cuts off at 0.25 Hz (table 18); 2 Hz would remove a gentle start of half a second.
        (Register.format, 0x02), (Register.highPass, 0x03),
        // Motion on any axis, measured after the filter and latched; it must last 20 ms (table 35). A longer time would
        // miss gentle motion, which the filter soon removes.
        (Register.transientControl, 0x1E), (Register.transientCount, 0x01),
        // Normal oversampling, 24 µA at 12.5 Hz. Transient interrupt on INT1, active high, push-pull.
        (Register.control2, 0x00), (Register.control3, 0x02), (Register.control4, 0x20), (Register.control5, 0x20),
        // 12.5 Hz, active.
        (Register.control1, 0x29),
    ]

    package func identify(on bus: some RegisterBus) throws(ChipError) {
        try bus.expect([0x2A], at: Register.identity, of: model)
    }

    package func stream(on bus: some RegisterBus) throws(ChipError) {
        // Settings can change only in standby (register 0x2A). The two reads discard earlier samples and events.
        try bus.program([(Register.control1, 0x00)])
        _ = try bus.get(Register.status, count: 7)
        _ = try bus.get(Register.transientSource)
        try bus.program([(Register.transientThreshold, Self.deaf)] + Self.settings)
    }

    package func readSamples(on bus: some RegisterBus) throws(ChipError) -> SampleBatch {
        // Read all in one transfer, because the status must belong to this sample.
        let bytes = try bus.get(Register.status, count: 7)
        guard let status = bytes.first, status & 0x08 != 0 else { return SampleBatch([]) }
        return SampleBatch(raw: Array(bytes.dropFirst()), .bigEndian, step: Self.step, isOverrun: status & 0x80 != 0)
    }

    /// Without a stream before the watch, gravity counts as motion: the filter needs 1.8 s to reduce it below one step.
    package func watch(above threshold: Acceleration, on bus: some RegisterBus) throws(ChipError) {
        if try !isSetUp(bus) { try stream(on: bus) }
        try bus.program([
            (Register.transientThreshold, threshold.steps(of: Self.thresholdStep, atMost: Self.deaf))
        ])
        _ = try bus.get(Register.transientSource)
    }

    package func isWatching(above threshold: Acceleration, on bus: some RegisterBus) throws(ChipError) -> Bool {
        let steps = threshold.steps(of: Self.thresholdStep, atMost: Self.deaf)
        guard try bus.get(Register.transientThreshold) == steps else { return false }
        return try isSetUp(bus)
    }

    package func setIdleLevel(isHigh: Bool, on bus: some RegisterBus) throws(ChipError) {
        // IPOL, which can change only in standby.
        try bus.program([
            (Register.control1, 0x00), (Register.control3, isHigh ? 0x00 : 0x02), (Register.control1, 0x29),
        ])
    }

    package func takeWake(on bus: some RegisterBus) throws(ChipError) -> Bool {
        try bus.get(Register.transientSource) & 0x40 != 0
    }

    private func isSetUp(_ bus: some RegisterBus) throws(ChipError) -> Bool { try bus.has(Self.settings) }
}
