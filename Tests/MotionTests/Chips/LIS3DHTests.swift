@testable import Motion
import Quantities
import Testing

@Suite("The LIS3DH")
struct LIS3DHTests {
    private let chip = LIS3DH(model: "LIS3DH")

    @Test("The chip streams at 25 Hz and ±4 g.")
    func stream() throws {
        let bus = GoldenBus()
        try chip.stream(on: bus)
        #expect(
            bus.log == [
                "30 = 00", "22 = 00", "25 = 00", "21 = 00", "23 = 90", "20 = 37", "2E = 00", "24 = 40", "2E = 80",
                "31 ? 1",
            ])
    }

    @Test("The chip watches at 10 Hz in low power, behind its high-pass filter.")
    func watch() throws {
        let bus = GoldenBus([0x27: [0x08]])
        try chip.watch(above: Acceleration(0.5), on: bus)
        #expect(
            bus.log == [
                "30 = 00", "22 = 00", "25 = 00", "24 = 08", "2E = 00", "23 = 80", "21 = 01", "32 = 04", "33 = 00",
                "20 = 7F", "27 ? 1", "A8 ? 6", "27 ? 1", "A8 ? 6", "20 = 2F", "26 ? 1", "30 = 2A", "31 ? 1", "22 = 40",
            ])
    }

    @Test(
        "The threshold has steps of 16 mg, rounded up.",
        arguments: [(0.0, "01"), (0.16, "02"), (0.5, "04"), (99, "7F")])
    func threshold(acceleration: Double, byte: String) throws {
        let bus = GoldenBus()
        try chip.watch(above: Acceleration(acceleration), on: bus)
        #expect(bus.log.contains("32 = \(byte)"))
    }

    @Test("A sample has ten left-justified bits with 8 mg per digit, and the low byte is first.")
    func samples() throws {
        let bus = GoldenBus([
            0x2F: [0x02],
            // 125 digits are 1 g, −125 digits are −1 g, and 250 digits are 2 g.
            0xA8: [0x00, 0x00, 0xC0, 0xE0, 0x40, 0x1F, 0x80, 0x3E, 0x00, 0x00, 0xC0, 0xE0],
        ])
        let batch = try chip.readSamples(on: bus)
        #expect(bus.log == ["2F ? 1", "A8 ? 12"])
        #expect(batch.samples.count == 2 && !batch.isOverrun)
        #expect(batch.samples[0].isNear(0, -1, 1))
        #expect(batch.samples[1].isNear(2, 0, -1))
    }

    @Test(
        "The chip counts the samples in its FIFO.",
        arguments: [(0x20, 0, false), (0x01, 1, false), (0x9F, 31, false), (0xDF, 32, true)] as [(UInt8, Int, Bool)])
    func count(source: UInt8, count: Int, isFull: Bool) throws {
        let batch = try chip.readSamples(on: GoldenBus([0x2F: [source]]))
        #expect(batch.samples.count == count && batch.isOverrun == isFull)
    }

    @Test("The chip has detected motion if IA is set.", arguments: [(0x6A, true), (0x2A, false)] as [(UInt8, Bool)])
    func wake(source: UInt8, isAwake: Bool) throws {
        let bus = GoldenBus([0x31: [source]])
        #expect(try chip.takeWake(on: bus) == isAwake)
        #expect(bus.log == ["31 ? 1"])
    }
}
