import Quantities
import Testing

@testable import Motion

@Suite("The BMI160")
struct BMI160Tests {
    private let chip = BMI160()
    private let quiet = [
        "7E = 11", "03 ? 1", "50 = 00", "51 = 00", "52 = 00", "53 = 0A", "54 = 0F", "47 = 00", "41 = 08", "7E = B1",
    ]

    @Test("The chip streams at 25 Hz and ±8 g.")
    func stream() throws {
        let bus = GoldenBus([0x03: [0x10]])
        try chip.stream(on: bus)
        #expect(bus.log == quiet + ["40 = 26", "45 = 88", "47 = 40", "7E = B0"])
    }

    @Test("The chip watches for any motion in low power.")
    func watch() throws {
        let bus = GoldenBus([0x03: [0x14]])
        try chip.watch(above: Acceleration(0.5), on: bus)
        #expect(
            bus.log == quiet
                + [
                    "40 = A6", "5F = 01", "60 = 04", "62 = 24", "59 = 00", "55 = 04", "50 = 07", "7E = 12",
                ])
    }

    @Test("The wake-up command is repeated a limited number of times.")
    func asleep() throws {
        let bus = GoldenBus()
        try chip.stream(on: bus)
        #expect(bus.log.count { $0 == "7E = 11" } == 4)
        #expect(bus.log.count { $0 == "03 ? 1" } == 256)
    }

    @Test(
        "The threshold has steps of 15.63 mg, rounded up.",
        arguments: [(0.0, "01"), (0.16, "02"), (0.5, "04"), (99, "FF")])
    func threshold(acceleration: Double, byte: String) throws {
        let bus = GoldenBus([0x03: [0x10]])
        try chip.watch(above: Acceleration(acceleration), on: bus)
        #expect(bus.log.contains("60 = \(byte)"))
    }

    @Test("A sample has 4096 steps per g, the low byte first.")
    func samples() throws {
        let bus = GoldenBus([
            0x22: [0x0C, 0x00], 0x24: [0x00, 0x10, 0x00, 0xF0, 0x00, 0x08, 0x00, 0x00, 0x00, 0x20, 0x00, 0xF0],
        ])
        let batch = try chip.readSamples(on: bus)
        #expect(bus.log == ["22 ? 2", "24 ? 12"])
        #expect(batch.samples.count == 2 && !batch.isOverrun)
        #expect(batch.samples[0].isNear(1, -1, 0.5))
        #expect(batch.samples[1].isNear(0, 2, -1))
    }

    @Test("The driver reports lost samples if the FIFO contains 170 samples.")
    func overrun() throws {
        let bus = GoldenBus([0x22: [0x00, 0x04]])
        let batch = try chip.readSamples(on: bus)
        #expect(batch.samples.count == 170 && batch.isOverrun)
        #expect(bus.log == ["22 ? 2"] + [String](repeating: "24 ? 192", count: 5) + ["24 ? 60"])
    }

    @Test("The chip has detected motion if ANYM is set, and the driver then clears ANYM.")
    func wake() throws {
        let bus = GoldenBus([0x1C: [0x04]])
        #expect(try chip.takeWake(on: bus))
        #expect(bus.log == ["1C ? 1", "7E = B1"])
        #expect(try !chip.takeWake(on: GoldenBus()))
    }
}
