import Motion
import Quantities
import Testing

@Suite("The LSM6DS3 and its successors")
struct LSM6DS3Tests {
    private let quiet = [
        "12 = 44", "5E = 00", "0D = 00", "0A = 00", "11 = 00", "13 = 00", "15 = 10", "17 = 00",
    ]

    @Test(
        "The chips stream at 26 Hz and ±8 g.",
        arguments: [
            (LSM6DS3.lsm6ds3, ["06 = 00", "07 = 00", "08 = 01", "09 = 00", "0A = 00", "0A = 16"]),
            (.lsm6ds3trc, ["06 = 00", "07 = 00", "08 = 01", "09 = 00", "0A = 00", "0A = 16"]),
            (.lsm6dso, ["07 = 00", "08 = 00", "09 = 02", "0A = 00", "0A = 06"]),
        ])
    func stream(chip: LSM6DS3, fifo: [String]) throws {
        let bus = GoldenBus()
        try chip.stream(on: bus)
        #expect(bus.log == quiet + ["10 = 2C"] + fifo + ["1B ? 1"])
    }

    @Test(
        "The chips watch at 12.5 Hz in low power, by the slope.",
        arguments: [
            (LSM6DS3.lsm6ds3, ["58 = 01"]), (.lsm6ds3trc, ["58 = 81"]), (.lsm6dso, ["56 = 41", "58 = 80"]),
        ])
    func watch(chip: LSM6DS3, latch: [String]) throws {
        let bus = GoldenBus([0x1E: [0x01]])
        try chip.watch(above: Acceleration(0.7), on: bus)
        #expect(
            bus.log == quiet + latch
                + [
                    "5C = 00", "5B = 02", "10 = 80", "1E ? 1", "28 ? 6", "1E ? 1", "28 ? 6", "10 = 10", "1B ? 1",
                    "5E = 20",
                ])
    }

    @Test(
        "The threshold has steps of 62.5 mg, rounded up.",
        arguments: [(0.0, "01"), (0.61, "01"), (0.62, "02"), (99, "3F")])
    func threshold(acceleration: Double, byte: String) throws {
        let bus = GoldenBus()
        try LSM6DS3.lsm6ds3.watch(above: Acceleration(acceleration), on: bus)
        #expect(bus.log.contains("5B = \(byte)"))
    }

    @Test("A sample has steps of 0.244 mg, the low byte first.")
    func words() throws {
        // 4098 steps are 1 g. The FIFO contains six words, and its next word is the first number of a sample.
        let bus = GoldenBus([
            0x3A: [0x06, 0x00, 0x00, 0x00],
            0x3E: [0x02, 0x10, 0xFE, 0xEF, 0x01, 0x08, 0x00, 0x00, 0x04, 0x20, 0xFE, 0xEF],
        ])
        let batch = try LSM6DS3.lsm6ds3.readSamples(on: bus)
        #expect(bus.log == ["3A ? 4", "3E ? 12"])
        #expect(batch.samples.count == 2 && !batch.isOverrun)
        #expect(batch.samples[0].isNear(1, -1, 0.5))
        #expect(batch.samples[1].isNear(0, 2, -1))
    }

    @Test(
        "The stream starts again if samples were lost or the FIFO is misaligned.",
        arguments: [[0x40, 0], [0x00, 1]] as [[UInt8]])
    func overrun(status: [UInt8]) throws {
        let bus = GoldenBus([0x3A: [0x06, status[0], status[1], 0x00]])
        #expect(try LSM6DS3.lsm6ds3.readSamples(on: bus) == SampleBatch([], isOverrun: true))
        #expect(bus.log.suffix(2) == ["0A = 00", "0A = 16"])
    }

    @Test("An empty FIFO returns no samples.")
    func empty() throws {
        let bus = GoldenBus([0x3A: [0x00, 0x10, 0x02, 0x00]])
        #expect(try LSM6DS3.lsm6ds3.readSamples(on: bus) == SampleBatch([]))
        #expect(bus.log == ["3A ? 4"])
    }

    @Test("The LSM6DSO's FIFO has tagged samples.")
    func tagged() throws {
        let bus = GoldenBus([
            0x3A: [0x02, 0x40],
            // The FIFO contains a sample of the accelerometer and a sample of the thermometer; the driver ignores the latter.
            0x78: [0x11, 0x02, 0x10, 0xFE, 0xEF, 0x01, 0x08, 0x19, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00],
        ])
        let batch = try LSM6DS3.lsm6dso.readSamples(on: bus)
        #expect(bus.log == ["3A ? 2", "78 ? 14"])
        #expect(batch.samples.count == 1 && batch.isOverrun)
        #expect(batch.samples[0].isNear(1, -1, 0.5))
    }

    @Test("The chips detected motion if WU_IA is set.", arguments: [(0x0C, true), (0x04, false)] as [(UInt8, Bool)])
    func wake(source: UInt8, isAwake: Bool) throws {
        let bus = GoldenBus([0x1B: [source]])
        #expect(try LSM6DS3.lsm6dso.takeWake(on: bus) == isAwake)
        #expect(bus.log == ["1B ? 1"])
    }

    @Test(
        "The models are identified by WHO_AM_I.",
        arguments: [(LSM6DS3.lsm6ds3, 0x69), (.lsm6ds3trc, 0x6A), (.lsm6dso, 0x6C)] as [(LSM6DS3, UInt8)])
    func identity(chip: LSM6DS3, byte: UInt8) throws {
        try chip.identify(on: GoldenBus([0x0F: [byte]]))
        #expect(throws: ChipError.foreign(model: chip.model, expected: [byte], found: 0x33)) {
            try chip.identify(on: GoldenBus([0x0F: [0x33]]))
        }
    }
}
