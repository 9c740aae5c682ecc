@testable import Motion
import Quantities
import Testing

@Suite("The MMA8452Q")
struct MMA8452QTests {
    private let chip = MMA8452Q()
    private let standBy = [
        "2A = 00", "2D = 00", "1D = 00", "0E = 02", "2B = 00", "2C = 02", "00 ? 7", "1E ? 1",
    ]

    @Test("streams at 12.5 Hz and ±8 g")
    func stream() throws {
        let bus = GoldenBus()
        try chip.stream(on: bus)
        #expect(bus.log == standBy + ["2A = 29"])
    }

    @Test("watches for a transient of 0.3 s behind its high-pass filter")
    func watch() throws {
        let bus = GoldenBus()
        try chip.watch(above: Acceleration(0.5), on: bus)
        #expect(
            bus.log == standBy + ["1D = 1E", "0F = 00", "1F = 01", "20 = 0F", "2E = 20", "2D = 20", "2A = 29"])
    }

    @Test("watches for steps of 63 mg, rounded up", arguments: [(0.0, "01"), (0.61, "01"), (0.62, "02"), (99, "7F")])
    func threshold(acceleration: Double, byte: String) throws {
        let bus = GoldenBus()
        try chip.watch(above: Acceleration(acceleration), on: bus)
        #expect(bus.log.contains("1F = \(byte)"))
    }

    @Test("measures 256 counts of twelve bits a g, left-justified, the high byte first")
    func samples() throws {
        let bus = GoldenBus([0x00: [0x0F, 0x10, 0x00, 0xF0, 0x00, 0x08, 0x00]])
        let batch = try chip.readSamples(on: bus)
        #expect(bus.log == ["00 ? 7"])
        #expect(batch.samples.count == 1 && !batch.isOverrun)
        #expect(batch.samples[0].isNear(1, -1, 0.5))
    }

    @Test(
        "gives a sample when there is one",
        arguments: [(0x00, 0, false), (0x08, 1, false), (0xFF, 1, true)] as [(UInt8, Int, Bool)])
    func status(byte: UInt8, count: Int, isOverrun: Bool) throws {
        let batch = try chip.readSamples(on: GoldenBus([0x00: [byte]]))
        #expect(batch.samples.count == count && batch.isOverrun == isOverrun)
    }

    @Test("has felt motion when EA is set", arguments: [(0x60, true), (0x20, false)] as [(UInt8, Bool)])
    func wake(source: UInt8, isAwake: Bool) throws {
        let bus = GoldenBus([0x1E: [source]])
        #expect(try chip.takeWake(on: bus) == isAwake)
        #expect(bus.log == ["1E ? 1"])
    }
}
