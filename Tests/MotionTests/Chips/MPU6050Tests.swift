import Motion
import Quantities
import Testing

@Suite("The MPU-6050 and its successors")
struct MPU6050Tests {
    private let fullPower = ["6B = 00", "38 = 00", "6C = 07", "23 = 00", "6A = 00", "37 = 20"]
    private let restart = ["23 = 00", "6A = 04", "6A = 40", "23 = 08"]

    @Test(
        "The chips stream at 25 Hz and ±8 g.",
        arguments: [(MPU6050.mpu6050, []), (.mpu6500, ["1D = 05", "69 = 00"])] as [(MPU6050, [String])])
    func stream(chip: MPU6050, more: [String]) throws {
        let bus = GoldenBus()
        try chip.stream(on: bus)
        let settings = ["19 = 27", "1A = 05", "1C = 10"] + more
        let expected: [String] = fullPower + settings + restart + ["3A ? 1"]
        #expect(bus.log == expected)
    }

    @Test("The MPU-6050 compares with a held sample, five times per second.")
    func watchLocked() throws {
        let bus = GoldenBus([0x72: [0x00, 0x0C]])
        try MPU6050.mpu6050.watch(above: Acceleration(0.5), on: bus)
        #expect(
            bus.log == fullPower
                + ["19 = 07", "1A = 00", "1C = 10", "1F = 02", "20 = 01", "69 = 00"] + restart
                + ["72 ? 2", "23 = 00", "6A = 00", "1C = 17", "6C = 47", "6B = 28", "3A ? 1", "38 = 40"])
    }

    @Test(
        "The successors compare each sample with the previous one, 15.6 times per second.",
        arguments: [MPU6050.mpu6500, .mpu9250])
    func watchPrevious(chip: MPU6050) throws {
        let bus = GoldenBus([0x72: [0x00, 0x0C]])
        try chip.watch(above: Acceleration(0.5), on: bus)
        #expect(
            bus.log == fullPower
                + ["19 = 00", "1A = 01", "1C = 10", "1D = 09", "69 = C0", "1F = 19"] + restart
                + ["72 ? 2", "23 = 00", "6A = 00", "1E = 06", "6B = 20", "3A ? 1", "38 = 40"])
    }

    @Test(
        "The threshold has steps of 32 mg or 4 mg, rounded up.",
        arguments: [
            (MPU6050.mpu6050, 0.0, "01"), (.mpu6050, 0.32, "02"), (.mpu6050, 99, "FF"), (.mpu6500, 1.0, "1A"),
            (.mpu6500, 1.03, "1B"), (.mpu9250, 99, "FF"),
        ])
    func threshold(chip: MPU6050, acceleration: Double, byte: String) throws {
        let bus = GoldenBus()
        try chip.watch(above: Acceleration(acceleration), on: bus)
        #expect(bus.log.contains("1F = \(byte)"))
    }

    @Test(
        "The threshold is at least 100 mg, because noise would exceed less.", arguments: [0.0, 0.05, 0.5, 0.98])
    func noise(acceleration: Double) throws {
        for chip in [MPU6050.mpu6500, .mpu9250] {
            let bus = GoldenBus()
            try chip.watch(above: Acceleration(acceleration), on: bus)
            #expect(bus.log.contains("1F = 19"))
        }
    }

    @Test("A sample has 4096 steps per g, the high byte first.")
    func samples() throws {
        let bus = GoldenBus([
            0x72: [0x00, 0x0C], 0x74: [0x10, 0x00, 0xF0, 0x00, 0x08, 0x00, 0x00, 0x00, 0x20, 0x00, 0xF0, 0x00],
        ])
        let batch = try MPU6050.mpu6050.readSamples(on: bus)
        #expect(bus.log == ["72 ? 2", "74 ? 12"])
        #expect(batch.samples.count == 2 && !batch.isOverrun)
        #expect(batch.samples[0].isNear(1, -1, 0.5))
        #expect(batch.samples[1].isNear(0, 2, -1))
    }

    @Test("A long backlog is read in bursts of 32 samples.")
    func backlog() throws {
        let bus = GoldenBus([0x72: [0x01, 0x98]])
        #expect(try MPU6050.mpu9250.readSamples(on: bus).samples.count == 68)
        #expect(bus.log == ["72 ? 2", "74 ? 192", "74 ? 192", "74 ? 24"])
    }

    @Test(
        "The stream starts again if the FIFO is full and therefore misaligned.",
        arguments: [[0x04, 0x00], [0x02, 0x00]] as [[UInt8]])
    func overrun(count: [UInt8]) throws {
        let bus = GoldenBus([0x72: count])
        #expect(try MPU6050.mpu6050.readSamples(on: bus) == SampleBatch([], isOverrun: true))
        #expect(bus.log == ["72 ? 2", "72 ? 2"] + restart)
    }

    @Test("The chips detected motion if bit 6 is set.", arguments: [(0x41, true), (0x01, false)] as [(UInt8, Bool)])
    func wake(status: UInt8, isAwake: Bool) throws {
        let bus = GoldenBus([0x3A: [status]])
        #expect(try MPU6050.mpu6050.takeWake(on: bus) == isAwake)
        #expect(bus.log == ["3A ? 1"])
    }

    @Test(
        "The models are identified by WHO_AM_I.",
        arguments: [(MPU6050.mpu6050, [0x68]), (.mpu6500, [0x70]), (.mpu9250, [0x71, 0x73])] as [(MPU6050, [UInt8])])
    func identity(chip: MPU6050, accepted: [UInt8]) throws {
        for byte in accepted { try chip.identify(on: GoldenBus([0x75: [byte]])) }
        #expect(throws: ChipError.foreign(model: chip.model, expected: accepted, found: 0x98)) {
            try chip.identify(on: GoldenBus([0x75: [0x98]]))
        }
    }
}
