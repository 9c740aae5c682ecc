package import Quantities

/// Analog Devices' ADXL345; numbers are from its data sheet.
package struct ADXL345: Accelerometer {
    package let model = "ADXL345"
    package let addresses: [UInt8] = [0x53, 0x1D]
    package let rate = 25.0
    package let depth = 32

    private enum Register {
        static let identity: UInt8 = 0x00
        static let offsetX: UInt8 = 0x1E
        static let offsetY: UInt8 = 0x1F
        static let offsetZ: UInt8 = 0x20
        static let activityThreshold: UInt8 = 0x24
        static let activityControl: UInt8 = 0x27
        static let tapAxes: UInt8 = 0x2A
        static let rate: UInt8 = 0x2C
        static let power: UInt8 = 0x2D
        static let interruptEnable: UInt8 = 0x2E
        static let interruptMap: UInt8 = 0x2F
        static let interruptSource: UInt8 = 0x30
        static let format: UInt8 = 0x31
        static let data: UInt8 = 0x32
        static let fifoControl: UInt8 = 0x38
        static let fifoStatus: UInt8 = 0x39
    }

    /// Table 1: 256 steps per g in full resolution, at every range.
    private static let step = Acceleration.milligravities(1000.0 / 256)

    /// Register 0x24: one step of the threshold.
    private static let thresholdStep = Acceleration.milligravities(62.5)

    /// Full resolution at ±8 g, which does not clip road shocks. The interrupt pin is active high (INT_INVERT is 0);
    /// the chip has no open-drain output.
    private static let format: UInt8 = 0x0A

    package func identify(on bus: some RegisterBus) throws(ChipError) {
        try bus.expect([0xE5], at: Register.identity, of: model)
    }

    package func stream(on bus: some RegisterBus) throws(ChipError) {
        try standBy(bus)
        try bus.program([
            (Register.offsetX, 0x00), (Register.offsetY, 0x00), (Register.offsetZ, 0x00),
            // 25 Hz, FIFO in stream mode, measurement on.
            (Register.rate, 0x08), (Register.fifoControl, 0x80), (Register.power, 0x08),
        ])
    }

    package func readSamples(on bus: some RegisterBus) throws(ChipError) -> SampleBatch {
        let isOverrun = try bus.get(Register.interruptSource) & 0x01 != 0
        let count = min(Int(try bus.get(Register.fifoStatus) & 0x3F), depth + 1)
        var bytes: [UInt8] = []
        // The FIFO proceeds to the next sample only at the end of a transfer (section FIFO, Retrieving data).
        for _ in 0..<count { bytes += try bus.get(Register.data, count: 6) }
        return SampleBatch(raw: bytes, .littleEndian, step: Self.step, isOverrun: isOverrun)
    }

    package func watch(above threshold: Acceleration, on bus: some RegisterBus) throws(ChipError) {
        try standBy(bus)
        try bus.program([
            (Register.activityThreshold, threshold.steps(of: Self.thresholdStep, atMost: 0xFF)),
            // All axes, AC-coupled: each sample is compared with the acceleration at the beginning of the watch.
            (Register.activityControl, 0xF0),
            // Low power at 12.5 Hz, the lowest rate of this mode: 34 µA (table 8).
            (Register.rate, 0x17),
            (Register.interruptEnable, 0x10), (Register.power, 0x08),
        ])
    }

    package func isWatching(above threshold: Acceleration, on bus: some RegisterBus) throws(ChipError) -> Bool {
        try bus.has([
            (Register.activityThreshold, threshold.steps(of: Self.thresholdStep, atMost: 0xFF)),
            (Register.activityControl, 0xF0), (Register.rate, 0x17), (Register.interruptMap, 0x00),
            (Register.interruptEnable, 0x10), (Register.format, Self.format), (Register.power, 0x08),
        ])
    }

    package func setIdleLevel(isHigh: Bool, on bus: some RegisterBus) throws(ChipError) {
        // INT_INVERT.
        try bus.program([(Register.format, isHigh ? Self.format | 0x20 : Self.format)])
    }

    package func takeWake(on bus: some RegisterBus) throws(ChipError) -> Bool {
        try bus.get(Register.interruptSource) & 0x10 != 0
    }

    /// Enters standby; bypass mode empties the FIFO.
    private func standBy(_ bus: some RegisterBus) throws(ChipError) {
        try bus.program([
            (Register.power, 0x00), (Register.interruptEnable, 0x00), (Register.interruptMap, 0x00),
            (Register.activityControl, 0x00), (Register.tapAxes, 0x00), (Register.fifoControl, 0x00),
            (Register.format, Self.format),
        ])
        _ = try bus.get(Register.interruptSource)
    }
}
