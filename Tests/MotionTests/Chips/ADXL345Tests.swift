@testable import Motion
import Quantities
import Testing

@Suite("The ADXL345")
struct ADXL345Tests {
    private let chip = ADXL345()
    private let standBy = [
        "2D = 00", "2E = 00", "2F = 00", "27 = 00", "2A = 00", "38 = 00", "31 = 0A", "30 ? 1",
    ]

    @Test("The chip streams at 25 Hz and ±8 g in full resolution.")
    func stream() throws {
        let bus = GoldenBus()
        try chip.stream(on: bus)
        #expect(bus.log == standBy + ["1E = 00", "1F = 00", "20 = 00", "2C = 08", "38 = 80", "2D = 08"])
    }

    @Test("The chip watches at 12.5 Hz in low power, AC-coupled.")
    func watch() throws {
        let bus = GoldenBus()
        try chip.watch(above: Acceleration(0.7), on: bus)
        #expect(bus.log == standBy + ["24 = 02", "27 = F0", "2C = 17", "2E = 10", "2D = 08"])
    }

    @Test(
        "The threshold has steps of 62.5 mg, rounded up.",
        arguments: [(0.0, "01"), (0.5, "01"), (0.7, "02"), (999, "FF")])
    func threshold(acceleration: Double, byte: String) throws {
        let bus = GoldenBus()
        try chip.watch(above: Acceleration(acceleration), on: bus)
        #expect(bus.log.contains("24 = \(byte)"))
    }

    @Test("A sample has 256 steps per g, the low byte first, and needs one transfer.")
    func samples() throws {
        let bus = GoldenBus([0x30: [0x83], 0x39: [0x02], 0x32: [0x00, 0x01, 0x00, 0xFF, 0x80, 0x00]])
        let batch = try chip.readSamples(on: bus)
        #expect(bus.log == ["30 ? 1", "39 ? 1", "32 ? 6", "32 ? 6"])
        #expect(batch.samples.count == 2 && batch.isOverrun)
        #expect(batch.samples[1].isNear(1, -1, 0.5))
    }

    @Test(
        "The chip has detected motion if Activity is set.",
        arguments: [(0x92, true), (0x82, false)] as [(UInt8, Bool)])
    func wake(source: UInt8, isAwake: Bool) throws {
        let bus = GoldenBus([0x30: [source]])
        #expect(try chip.takeWake(on: bus) == isAwake)
        #expect(bus.log == ["30 ? 1"])
    }
}
