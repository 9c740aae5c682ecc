package import Quantities

/// InvenSense's MPU-6050, MPU-6500 and MPU-9250 (register maps RM-MPU-6000A, RM-MPU-6500A and RM-MPU-9250A). The steps
/// that arm the watch are from InvenSense's Motion Driver, because RM-MPU-6000A leaves most of them out.
package struct MPU6050: Accelerometer {
    package let model: String
    package let addresses: [UInt8] = [0x68, 0x69]
    package let rate = 25.0
    package let depth: Int
    private let identities: [UInt8]
    private let waking: Waking

    private enum Waking {
        /// Compares each sample with the one at the beginning of the watch.
        case lockedSample
        case previousSample
    }

    private init(_ model: String, identities: [UInt8], fifo bytes: Int, _ waking: Waking) {
        self.model = model
        self.identities = identities
        self.depth = bytes / 6
        self.waking = waking
    }

    package static let mpu6050 = MPU6050("MPU-6050", identities: [0x68], fifo: 1024, .lockedSample)
    package static let mpu6500 = MPU6050("MPU-6500", identities: [0x70], fifo: 512, .previousSample)
    /// An MPU-6500 with a compass; 0x73 is the MPU-9255, which has the same accelerometer.
    package static let mpu9250 = MPU6050("MPU-9250", identities: [0x71, 0x73], fifo: 512, .previousSample)

    private enum Register {
        static let divider: UInt8 = 0x19
        static let configuration: UInt8 = 0x1A
        static let accelerometer: UInt8 = 0x1C
        /// ACCEL_CONFIG 2, which the MPU-6050 does not have.
        static let accelerometer2: UInt8 = 0x1D
        /// LP_ACCEL_ODR, which the MPU-6050 does not have.
        static let lowPowerRate: UInt8 = 0x1E
        /// MOT_THR or WOM_THR.
        static let threshold: UInt8 = 0x1F
        /// MOT_DUR, which only the MPU-6050 has.
        static let duration: UInt8 = 0x20
        static let fifoEnable: UInt8 = 0x23
        static let interruptPin: UInt8 = 0x37
        static let interruptEnable: UInt8 = 0x38
        static let interruptStatus: UInt8 = 0x3A
        /// MOT_DETECT_CTRL or ACCEL_INTEL_CTRL.
        static let motionControl: UInt8 = 0x69
        static let userControl: UInt8 = 0x6A
        static let power1: UInt8 = 0x6B
        static let power2: UInt8 = 0x6C
        static let fifoCount: UInt8 = 0x72
        static let fifo: UInt8 = 0x74
        static let identity: UInt8 = 0x75
    }

    /// 4096 steps per g at ±8 g, which does not clip road shocks and is fine enough for a vehicle at rest.
    private static let step = Acceleration.milligravities(1000.0 / 4096)

    private var thresholdStep: Acceleration {
        switch waking {
        // The value is from Motion Driver. Early register maps and many libraries state 2 mg, which is less than the
        // noise.
        case .lockedSample: .milligravities(32)
        case .previousSample: .milligravities(4)
        }
    }

    /// A single unfiltered sample of the newer models has 12.6 mg of noise: 300 µg/√Hz (PS-MPU-6500A and PS-MPU-9250A,
    /// section 3.2) over the 1.13 kHz bandwidth of a first-order filter. A difference of two has √2 times that. 98.3 mg
    /// is 5.5 times the noise of a difference, so at 15.6 differences a second on three axes noise exceeds it about
    /// once a week. It would exceed 52 mg ten times a minute.
    private var leastThreshold: Acceleration {
        switch waking {
        case .lockedSample: .zero
        case .previousSample: .milligravities(98.3)
        }
    }

    package func identify(on bus: some RegisterBus) throws(ChipError) {
        try bus.expect(identities, at: Register.identity, of: model)
    }

    package func stream(on bus: some RegisterBus) throws(ChipError) {
        try wakeUp(bus)
        try bus.program([
            // 1 kHz / (39 + 1) = 25 Hz, behind a filter of 10 Hz.
            (Register.divider, 39), (Register.configuration, 0x05), (Register.accelerometer, 0x10),
        ])
        if waking == .previousSample {
            try bus.program([(Register.accelerometer2, 0x05), (Register.motionControl, 0x00)])
        }
        try restartFIFO(bus)
        _ = try bus.get(Register.interruptStatus)
    }

    package func readSamples(on bus: some RegisterBus) throws(ChipError) -> SampleBatch {
        var count = try fifoCount(bus)
        // The chip was storing a sample, or the FIFO is misaligned; a second read distinguishes the two.
        if !count.isMultiple(of: 6) { count = try fifoCount(bus) }
        // The FIFO's size is no multiple of a sample's, so a full one overwrites single bytes and is misaligned.
        guard count.isMultiple(of: 6) else {
            try restartFIFO(bus)
            return SampleBatch([], isOverrun: true)
        }
        let bytes = try bus.getGroups(count / 6, of: 6, from: Register.fifo)
        return SampleBatch(raw: bytes, .bigEndian, step: Self.step)
    }

    package func watch(above threshold: Acceleration, on bus: some RegisterBus) throws(ChipError) {
        try wakeUp(bus)
        let steps = max(threshold, leastThreshold).steps(of: thresholdStep, atMost: 0xFF)
        switch waking {
        case .lockedSample: try lockSample(threshold: steps, bus)
        case .previousSample: try compareWithPrevious(threshold: steps, bus)
        }
        _ = try bus.get(Register.interruptStatus)
        try bus.program([(Register.interruptEnable, 0x40)])
    }

    package func isWatching(above threshold: Acceleration, on bus: some RegisterBus) throws(ChipError) -> Bool {
        let steps = max(threshold, leastThreshold).steps(of: thresholdStep, atMost: 0xFF)
        let common: [(register: UInt8, value: UInt8)] = [
            (Register.threshold, steps), (Register.interruptPin, 0x20), (Register.interruptEnable, 0x40),
        ]
        switch waking {
        case .lockedSample:
            return try bus.has(
                common + [
                    (Register.duration, 1), (Register.accelerometer, 0x17), (Register.power2, 0x47),
                    (Register.power1, 0x28),
                ])
        case .previousSample:
            return try bus.has(
                common + [
                    (Register.accelerometer2, 0x09), (Register.motionControl, 0xC0), (Register.lowPowerRate, 0x06),
                    (Register.power2, 0x07), (Register.power1, 0x20),
                ])
        }
    }

    package func setIdleLevel(isHigh: Bool, on bus: some RegisterBus) throws(ChipError) {
        // INT_LEVEL.
        try bus.program([(Register.interruptPin, isHigh ? 0xA0 : 0x20)])
    }

    package func takeWake(on bus: some RegisterBus) throws(ChipError) -> Bool {
        try bus.get(Register.interruptStatus) & 0x40 != 0
    }

    private func wakeUp(_ bus: some RegisterBus) throws(ChipError) {
        try bus.program([
            (Register.power1, 0x00), (Register.interruptEnable, 0x00), (Register.power2, 0x07),
            (Register.fifoEnable, 0x00), (Register.userControl, 0x00), (Register.interruptPin, 0x20),
        ])
    }

    private func restartFIFO(_ bus: some RegisterBus) throws(ChipError) {
        try bus.program([
            (Register.fifoEnable, 0x00), (Register.userControl, 0x04), (Register.userControl, 0x40),
            (Register.fifoEnable, 0x08),
        ])
    }

    private func fifoCount(_ bus: some RegisterBus) throws(ChipError) -> Int {
        let bytes = try bus.get(Register.fifoCount, count: 2)
        return bytes.reduce(0) { $0 << 8 | Int($1) } & 0x1FFF
    }

    private func lockSample(threshold: UInt8, _ bus: some RegisterBus) throws(ChipError) {
        try bus.program([
            // 8 kHz / (7 + 1) = 1 kHz without low-pass filter; this also resets the high-pass filter.
            (Register.divider, 7), (Register.configuration, 0x00), (Register.accelerometer, 0x10),
            (Register.threshold, threshold), (Register.duration, 1), (Register.motionControl, 0x00),
        ])
        try awaitSamples(bus)
        try bus.program([
            // With the high-pass filter in hold mode, its output is the difference from the present sample.
            (Register.accelerometer, 0x17),
            // Five samples a second, sleep in between, thermometer off: 20 µA.
            (Register.power2, 0x47), (Register.power1, 0x28),
        ])
    }

    private func compareWithPrevious(threshold: UInt8, _ bus: some RegisterBus) throws(ChipError) {
        try bus.program([
            // 1 kHz.
            (Register.divider, 0), (Register.configuration, 0x01),
            // Bypass the filter (ACCEL_FCHOICE_B), which would not settle in the short time that the chip is awake.
            // RM-MPU-9250A and RM-MPU-6500A (wake-on-motion) require this byte too, but describe it as a filter of 184
            // Hz.
            (Register.accelerometer, 0x10), (Register.accelerometer2, 0x09),
            (Register.motionControl, 0xC0), (Register.threshold, threshold),
        ])
        try awaitSamples(bus)
        // 15.6 samples a second, sleep in between: about 14 µA, by linear interpolation between 8.4 µA at 0.98 Hz and
        // 19.8 µA at 31.25 Hz (PS-MPU-9250A, section 2.2).
        try bus.program([(Register.lowPowerRate, 0x06), (Register.power1, 0x20)])
    }

    /// The watch needs a measured sample for its comparison. After sleep, one takes up to 30 ms, about the time of 64
    /// reads on a bus of 100 kHz.
    private func awaitSamples(_ bus: some RegisterBus) throws(ChipError) {
        try restartFIFO(bus)
        var reads = 0
        while reads < 64, try fifoCount(bus) < 12 { reads += 1 }
        try bus.program([(Register.fifoEnable, 0x00), (Register.userControl, 0x00)])
    }
}
