package import Quantities

/// ST's LIS3DH and LIS2DH12, which have the same registers (data sheets DocID17530 and DocID025056; procedures from the
/// application note AN3308).
package struct LIS3DH: Accelerometer {
    package let model: String
    package let addresses: [UInt8] = [0x18, 0x19]
    package let rate = 25.0
    package let depth = 32

    private enum Register {
        static let identity: UInt8 = 0x0F
        static let control1: UInt8 = 0x20
        static let control2: UInt8 = 0x21
        static let control3: UInt8 = 0x22
        static let control4: UInt8 = 0x23
        static let control5: UInt8 = 0x24
        static let control6: UInt8 = 0x25
        static let reference: UInt8 = 0x26
        static let status: UInt8 = 0x27
        /// OUT_X_L; the highest bit makes the chip increment the address after each byte. With the FIFO, the address
        /// returns from OUT_Z_H to OUT_X_L.
        static let output: UInt8 = 0x28 | 0x80
        static let fifoControl: UInt8 = 0x2E
        static let fifoSource: UInt8 = 0x2F
        static let interruptControl: UInt8 = 0x30
        static let interruptSource: UInt8 = 0x31
        static let interruptThreshold: UInt8 = 0x32
        static let interruptDuration: UInt8 = 0x33
    }

    /// The FIFO stores 10 bits, left-justified in 16, so one digit is 64 steps: 8 mg at ±4 g (table "Mechanical
    /// characteristics"). At ±8 g a digit would be 16 mg, too coarse for a vehicle at rest; at ±2 g the chip would clip
    /// road shocks.
    private static let step = Acceleration.milligravities(8.0 / 64)

    /// INT1_THS, register 0x32: one step of the threshold at ±2 g.
    private static let thresholdStep = Acceleration.milligravities(16)

    package func identify(on bus: some RegisterBus) throws(ChipError) {
        try bus.expect([0x33], at: Register.identity, of: model)
    }

    package func stream(on bus: some RegisterBus) throws(ChipError) {
        try bus.program([
            (Register.interruptControl, 0x00), (Register.control3, 0x00), (Register.control6, 0x00),
            (Register.control2, 0x00),
            // ±4 g; both bytes of a number are from one sample. High resolution is off, because its filter passes only
            // frequencies up to a ninth of 25 Hz.
            (Register.control4, 0x90),
            // 25 Hz, three axes.
            (Register.control1, 0x37),
            // Bypass mode empties the FIFO (section 5.1.1); then it streams (section 5.1.3).
            (Register.fifoControl, 0x00), (Register.control5, 0x40), (Register.fifoControl, 0x80),
        ])
        _ = try bus.get(Register.interruptSource)
    }

    package func readSamples(on bus: some RegisterBus) throws(ChipError) -> SampleBatch {
        // FSS counts only to 31; a full FIFO of 32 samples sets the overrun bit (AN3308).
        let source = try bus.get(Register.fifoSource)
        let isFull = source & 0x40 != 0
        let count = isFull ? depth : source & 0x20 != 0 ? 0 : Int(source & 0x1F)
        let bytes = try bus.getGroups(count, of: 6, from: Register.output)
        return SampleBatch(raw: bytes, .littleEndian, step: Self.step, isOverrun: isFull)
    }

    package func watch(above threshold: Acceleration, on bus: some RegisterBus) throws(ChipError) {
        try bus.program([
            (Register.interruptControl, 0x00), (Register.control3, 0x00), (Register.control6, 0x00),
            // Interrupt latched, FIFO off.
            (Register.control5, 0x08), (Register.fifoControl, 0x00),
            (Register.control4, 0x80),
            // HPIS1: the high-pass filter acts on the interrupt, not on the data registers.
            (Register.control2, 0x01),
            (Register.interruptThreshold, threshold.steps(of: Self.thresholdStep, atMost: 0x7F)),
            (Register.interruptDuration, 0x00),
            // Low power at 400 Hz for two samples, because the filter must not start from a sample of the former range.
            (Register.control1, 0x7F),
        ])
        for _ in 0..<2 where try bus.poll(Register.status, mask: 0x08, for: 0x08) {
            _ = try bus.get(Register.output, count: 6)
        }
        // Low power at 10 Hz, where the cut-off frequency of the high-pass filter is 0.2 Hz (AN3308).
        try bus.program([(Register.control1, 0x2F)])
        // Reading REFERENCE sets the filter to the present acceleration, which removes gravity at once (AN3308).
        _ = try bus.get(Register.reference)
        // Any axis beyond the threshold, in either direction. The latch is cleared before the pin is enabled.
        try bus.program([(Register.interruptControl, 0x2A)])
        _ = try bus.get(Register.interruptSource)
        try bus.program([(Register.control3, 0x40)])
    }

    package func isWatching(above threshold: Acceleration, on bus: some RegisterBus) throws(ChipError) -> Bool {
        try bus.has([
            (Register.control1, 0x2F), (Register.control2, 0x01), (Register.control3, 0x40), (Register.control4, 0x80),
            (Register.control5, 0x08), (Register.control6, 0x00), (Register.interruptControl, 0x2A),
            (Register.interruptThreshold, threshold.steps(of: Self.thresholdStep, atMost: 0x7F)),
            (Register.interruptDuration, 0x00),
        ])
    }

    package func setIdleLevel(isHigh: Bool, on bus: some RegisterBus) throws(ChipError) {
        // H_LACTIVE.
        try bus.program([(Register.control6, isHigh ? 0x02 : 0x00)])
    }

    package func takeWake(on bus: some RegisterBus) throws(ChipError) -> Bool {
        try bus.get(Register.interruptSource) & 0x40 != 0
    }
}
