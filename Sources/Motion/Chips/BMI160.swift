package import Quantities

/// Bosch's BMI160; numbers are from the data sheet BST-BMI160-DS000.
package struct BMI160: Accelerometer {
    package let model = "BMI160"
    package let addresses: [UInt8] = [0x68, 0x69]
    package let rate = 25.0
    package let depth = 170

    private enum Register {
        static let identity: UInt8 = 0x00
        static let powerStatus: UInt8 = 0x03
        static let interruptStatus: UInt8 = 0x1C
        static let fifoLength: UInt8 = 0x22
        static let fifo: UInt8 = 0x24
        static let configuration: UInt8 = 0x40
        static let range: UInt8 = 0x41
        static let fifoSource: UInt8 = 0x45
        static let fifoConfiguration: UInt8 = 0x47
        static let interruptEnable: UInt8 = 0x50
        static let interruptEnable1: UInt8 = 0x51
        static let interruptEnable2: UInt8 = 0x52
        static let interruptOutput: UInt8 = 0x53
        static let interruptLatch: UInt8 = 0x54
        static let interruptMap: UInt8 = 0x55
        static let interruptData: UInt8 = 0x59
        static let motionDuration: UInt8 = 0x5F
        static let motionThreshold: UInt8 = 0x60
        static let motionSelection: UInt8 = 0x62
        static let command: UInt8 = 0x7E
    }

    private enum Command {
        static let normalPower: UInt8 = 0x11
        static let lowPower: UInt8 = 0x12
        static let emptyFIFO: UInt8 = 0xB0
        static let resetInterrupt: UInt8 = 0xB1
    }

    /// Register 0x41: ±8 g does not clip road shocks, and 16 bits are fine enough at rest. The watch has the same
    /// range, since a change of range would count as motion.
    private static let range: UInt8 = 0x08

    /// 4096 steps per g at ±8 g.
    private static let step = Acceleration.milligravities(1000.0 / 4096)

    /// Register 0x60: one step of the threshold at ±8 g.
    private static let thresholdStep = Acceleration.milligravities(15.63)

    package func identify(on bus: some RegisterBus) throws(ChipError) {
        try bus.expect([0xD1], at: Register.identity, of: model)
    }

    package func stream(on bus: some RegisterBus) throws(ChipError) {
        try quieten(bus)
        try bus.program([
            // 25 Hz with the filter for this rate; the FIFO stores only filtered samples, without headers.
            (Register.configuration, 0x26), (Register.fifoSource, 0x88), (Register.fifoConfiguration, 0x40),
            (Register.command, Command.emptyFIFO),
        ])
    }

    package func readSamples(on bus: some RegisterBus) throws(ChipError) -> SampleBatch {
        let bytes = try bus.get(Register.fifoLength, count: 2)
        let length = bytes.reversed().reduce(0) { $0 << 8 | Int($1) } & 0x07FF
        // 1024 bytes are 170 whole samples; a full FIFO drops the oldest.
        let count = min(length / 6, depth)
        let samples = try bus.getGroups(count, of: 6, from: Register.fifo)
        return SampleBatch(raw: samples, .littleEndian, step: Self.step, isOverrun: count == depth)
    }

    package func watch(above threshold: Acceleration, on bus: some RegisterBus) throws(ChipError) {
        try quieten(bus)
        try bus.program([
            // 25 Hz, four measurements per sample; the chip sleeps between samples.
            (Register.configuration, 0xA6),
            // Two slopes in a row, because the first may begin at a sample from before the watch.
            (Register.motionDuration, 0x01),
            (Register.motionThreshold, threshold.steps(of: Self.thresholdStep, atMost: 0xFF)),
            // Any motion instead of significant motion; unfiltered samples would keep the chip awake.
            (Register.motionSelection, 0x24), (Register.interruptData, 0x00),
            // Any motion along x, y or z, on INT1.
            (Register.interruptMap, 0x04), (Register.interruptEnable, 0x07),
            (Register.command, Command.lowPower),
        ])
    }

    package func isWatching(above threshold: Acceleration, on bus: some RegisterBus) throws(ChipError) -> Bool {
        // PMU_STATUS must be low power; in suspend mode the chip detects no motion.
        guard try bus.get(Register.powerStatus) & 0x30 == 0x20 else { return false }
        return try bus.has([
            (Register.configuration, 0xA6), (Register.range, Self.range), (Register.motionDuration, 0x01),
            (Register.motionThreshold, threshold.steps(of: Self.thresholdStep, atMost: 0xFF)),
            (Register.motionSelection, 0x24), (Register.interruptData, 0x00), (Register.interruptMap, 0x04),
            (Register.interruptEnable, 0x07), (Register.interruptOutput, 0x0A), (Register.interruptLatch, 0x0F),
        ])
    }

    package func setIdleLevel(isHigh: Bool, on bus: some RegisterBus) throws(ChipError) {
        // INT1_LVL.
        try bus.program([(Register.interruptOutput, isHigh ? 0x08 : 0x0A)])
    }

    package func takeWake(on bus: some RegisterBus) throws(ChipError) -> Bool {
        guard try bus.get(Register.interruptStatus) & 0x04 != 0 else { return false }
        try bus.program([(Register.command, Command.resetInterrupt)])
        return true
    }

    /// Also clears the interrupts, and sets them to latched, active high and push-pull.
    private func quieten(_ bus: some RegisterBus) throws(ChipError) {
        try wakeUp(bus)
        try bus.program([
            (Register.interruptEnable, 0x00), (Register.interruptEnable1, 0x00), (Register.interruptEnable2, 0x00),
            (Register.interruptOutput, 0x0A), (Register.interruptLatch, 0x0F), (Register.fifoConfiguration, 0x00),
            (Register.range, Self.range), (Register.command, Command.resetInterrupt),
        ])
    }

    /// Waking takes 3.8 ms. A sleeping chip may miss a command within 0.45 ms after another, so the command is repeated.
    private func wakeUp(_ bus: some RegisterBus) throws(ChipError) {
        for _ in 0..<4 {
            try bus.program([(Register.command, Command.normalPower)])
            if try bus.poll(Register.powerStatus, mask: 0x30, for: 0x10) { return }
        }
    }
}
