package import Quantities

/// ST's LSM6DS3, LSM6DS3TR-C and LSM6DSO (data sheets DocID026899, DocID030071 and DS12140; procedures from the
/// application notes AN4650 and AN5192).
package struct LSM6DS3: Accelerometer {
    package let model: String
    package let addresses: [UInt8] = [0x6A, 0x6B]
    package let rate = 26.0
    package let depth: Int
    private let identity: UInt8
    private let fifo: FIFO
    /// The settings for latched interrupts from the slope between samples.
    private let latch: [(register: UInt8, value: UInt8)]

    private enum FIFO {
        /// Words of 16 bits, for the three axes in turn.
        case words
        case tagged
    }

    package static let lsm6ds3 = LSM6DS3(
        model: "LSM6DS3", depth: 1365, identity: 0x69, fifo: .words, latch: [(0x58, 0x01)])
    /// An additional register bit enables its interrupts.
    package static let lsm6ds3trc = LSM6DS3(
        model: "LSM6DS3TR-C", depth: 682, identity: 0x6A, fifo: .words, latch: [(0x58, 0x81)])
    /// INT_CLR_ON_READ releases the interrupt line at once instead of with the next sample.
    package static let lsm6dso = LSM6DS3(
        model: "LSM6DSO", depth: 512, identity: 0x6C, fifo: .tagged, latch: [(0x56, 0x41), (0x58, 0x80)])

    private enum Register {
        static let interrupt1: UInt8 = 0x0D
        static let identity: UInt8 = 0x0F
        static let accelerometer: UInt8 = 0x10
        static let gyroscope: UInt8 = 0x11
        static let control3: UInt8 = 0x12
        static let control4: UInt8 = 0x13
        static let control6: UInt8 = 0x15
        static let control8: UInt8 = 0x17
        static let wakeSource: UInt8 = 0x1B
        static let status: UInt8 = 0x1E
        static let output: UInt8 = 0x28
        static let fifoStatus: UInt8 = 0x3A
        /// FIFO_DATA_OUT_L; the address returns here after FIFO_DATA_OUT_H.
        static let words: UInt8 = 0x3E
        /// FIFO_DATA_OUT_TAG; the address returns here after FIFO_DATA_OUT_Z_H.
        static let tagged: UInt8 = 0x78
        static let wakeThreshold: UInt8 = 0x5B
        static let wakeDuration: UInt8 = 0x5C
        static let route1: UInt8 = 0x5E
    }

    /// Table "Mechanical characteristics": 0.244 mg at ±8 g, a range that does not clip road shocks.
    private static let step = Acceleration.milligravities(0.244)

    /// A step is 31.25 mg (a 64th of 2 g) of slope, which is half the difference of two samples (AN4650, wake-up interrupt).
    private static let thresholdStep = Acceleration.milligravities(2 * 2000.0 / 64)

    package func identify(on bus: some RegisterBus) throws(ChipError) {
        try bus.expect([identity], at: Register.identity, of: model)
    }

    package func stream(on bus: some RegisterBus) throws(ChipError) {
        try quieten(bus)
        // 26 Hz, ±8 g.
        try bus.program([(Register.accelerometer, 0x2C)])
        try startFIFO(bus)
        _ = try bus.get(Register.wakeSource)
    }

    package func readSamples(on bus: some RegisterBus) throws(ChipError) -> SampleBatch {
        switch fifo {
        case .words: try readWords(bus)
        case .tagged: try readTagged(bus)
        }
    }

    package func watch(above threshold: Acceleration, on bus: some RegisterBus) throws(ChipError) {
        try quieten(bus)
        try bus.program(
            latch + [
                (Register.wakeDuration, 0x00),
                (Register.wakeThreshold, threshold.steps(of: Self.thresholdStep, atMost: 0x3F)),
                // 1.66 kHz, ±2 g, for two samples: the step from a sample of the former range would count as a slope.
                (Register.accelerometer, 0x80),
            ])
        for _ in 0..<2 where try bus.poll(Register.status, mask: 0x01, for: 0x01) {
            _ = try bus.get(Register.output, count: 6)
        }
        // 12.5 Hz, ±2 g, low power.
        try bus.program([(Register.accelerometer, 0x10)])
        // The latch is cleared before the pin is enabled.
        _ = try bus.get(Register.wakeSource)
        try bus.program([(Register.route1, 0x20)])
    }

    package func isWatching(above threshold: Acceleration, on bus: some RegisterBus) throws(ChipError) -> Bool {
        try bus.has(
            latch + [
                (Register.control3, 0x44), (Register.wakeDuration, 0x00),
                (Register.wakeThreshold, threshold.steps(of: Self.thresholdStep, atMost: 0x3F)),
                (Register.accelerometer, 0x10), (Register.route1, 0x20),
            ])
    }

    package func setIdleLevel(isHigh: Bool, on bus: some RegisterBus) throws(ChipError) {
        // H_LACTIVE.
        try bus.program([(Register.control3, isHigh ? 0x64 : 0x44)])
    }

    package func takeWake(on bus: some RegisterBus) throws(ChipError) -> Bool {
        try bus.get(Register.wakeSource) & 0x08 != 0
    }

    /// Also sets the interrupts to active high and push-pull; bypass mode empties the FIFO.
    private func quieten(_ bus: some RegisterBus) throws(ChipError) {
        try bus.program([
            (Register.control3, 0x44), (Register.route1, 0x00), (Register.interrupt1, 0x00),
            (fifoMode, 0x00), (Register.gyroscope, 0x00), (Register.control4, 0x00), (Register.control6, 0x10),
            (Register.control8, 0x00),
        ])
    }

    /// FIFO_CTRL5; on the model with the tagged FIFO, FIFO_CTRL4 has this address.
    private var fifoMode: UInt8 { 0x0A }

    /// The accelerometer alone, at 26 Hz; new samples overwrite the oldest.
    private func startFIFO(_ bus: some RegisterBus) throws(ChipError) {
        switch fifo {
        case .words:
            try bus.program([
                (0x06, 0x00), (0x07, 0x00), (0x08, 0x01), (0x09, 0x00), (fifoMode, 0x00), (fifoMode, 0x16),
            ])
        case .tagged:
            try bus.program([(0x07, 0x00), (0x08, 0x00), (0x09, 0x02), (fifoMode, 0x00), (fifoMode, 0x06)])
        }
    }

    private func readWords(_ bus: some RegisterBus) throws(ChipError) -> SampleBatch {
        let status = try bus.get(Register.fifoStatus, count: 4)
        guard status.count == 4 else { return SampleBatch([]) }
        // FIFO_STATUS3 is the axis of the next word, which an overrun may shift; it has no meaning in an empty FIFO.
        let isEmpty = status[1] & 0x10 != 0
        guard status[1] & 0x40 == 0, isEmpty || status[2] == 0 else {
            try startFIFO(bus)
            return SampleBatch([], isOverrun: true)
        }
        let count = isEmpty ? 0 : Int(status[1] & 0x0F) << 8 | Int(status[0])
        let bytes = try bus.getGroups(count / 3, of: 6, from: Register.words)
        return SampleBatch(raw: bytes, .littleEndian, step: Self.step)
    }

    private func readTagged(_ bus: some RegisterBus) throws(ChipError) -> SampleBatch {
        let status = try bus.get(Register.fifoStatus, count: 2)
        guard status.count == 2 else { return SampleBatch([]) }
        let count = Int(status[1] & 0x03) << 8 | Int(status[0])
        let bytes = try bus.getGroups(count, of: 7, from: Register.tagged)
        // FIFO_DATA_OUT_TAG: sensor 2 is the accelerometer.
        let payload = stride(from: 0, to: bytes.count - bytes.count % 7, by: 7)
            .filter { bytes[$0] >> 3 == 0x02 }
            .flatMap { bytes[$0 + 1..<$0 + 7] }
        // FIFO_OVR_IA, or the latched overrun bit.
        return SampleBatch(raw: payload, .littleEndian, step: Self.step, isOverrun: status[1] & 0x48 != 0)
    }
}
