@testable import Motion
import Quantities
import TestSupport
import Testing

@Suite("The MMA8452Q")
struct MMA8452QTests {
    private let chip = MMA8452Q()
    private let stream = [
        "2A = 00", "00 ? 7", "1E ? 1", "1F = 7F", "0E = 02", "0F = 03", "1D = 1E", "20 = 01", "2B = 00", "2C = 02",
        "2D = 20", "2E = 20", "2A = 29",
    ]
    private let check = ["0E ? 1", "0F ? 1", "1D ? 1", "20 ? 1", "2B ? 1", "2C ? 1", "2D ? 1", "2E ? 1", "2A ? 1"]

    @Test("The chip streams at 12.5 Hz and ±8 g, without transients below 8 g.")
    func streaming() throws {
        let bus = GoldenBus()
        try chip.stream(on: bus)
        #expect(bus.log == stream)
    }

    @Test("The chip watches for a transient of 20 ms, without restarting its high-pass filter.")
    func watchAfterStream() throws {
        let bus = GoldenBus([
            0x0E: [0x02], 0x0F: [0x03], 0x1D: [0x1E], 0x20: [0x01], 0x2A: [0x29], 0x2C: [0x02], 0x2D: [0x20],
            0x2E: [0x20],
        ])
        try chip.watch(above: Acceleration(0.5), on: bus)
        #expect(bus.log == check + ["1F = 01", "1E ? 1"])
    }

    @Test("The chip streams before a watch if it did not stream before or has lost its settings.")
    func watch() throws {
        let bus = GoldenBus()
        try chip.watch(above: Acceleration(0.5), on: bus)
        #expect(bus.log == ["0E ? 1"] + stream + ["1F = 01", "1E ? 1"])
    }

    @Test("The chip detects a start with 1.5 m/s² that is reached at once or within half a second.", arguments: [1, 6])
    func pullAway(samples: Int) throws {
        let bench = FakeChipBench(try #require(FakeChip(model: "MMA8452Q")))
        try rest(bench, samples: 40) { try chip.stream(on: bench.bus) }
        try rest(bench, samples: 40) { try chip.watch(above: Acceleration(0.5), on: bench.bus) }
        #expect(!bench.isInterruptActive)
        for index in 1...12 {
            bench.feed(AccelerationSample(x: 1.5 * Double(min(index, samples)) / Double(samples), y: 0, z: 9.80665))
        }
        #expect(bench.isInterruptActive)
    }

    @Test("Gravity wakes a chip that did not stream before the watch, but only once.")
    func cold() throws {
        let bench = FakeChipBench(try #require(FakeChip(model: "MMA8452Q")))
        try rest(bench, samples: 40) { try chip.watch(above: Acceleration(0.5), on: bench.bus) }
        #expect(try chip.takeWake(on: bench.bus))
        try rest(bench, samples: 40) { try chip.watch(above: Acceleration(0.5), on: bench.bus) }
        #expect(!bench.isInterruptActive)
    }

    @Test(
        "The threshold has steps of 63 mg, rounded up.",
        arguments: [(0.0, "01"), (0.61, "01"), (0.62, "02"), (99, "7F")])
    func threshold(acceleration: Double, byte: String) throws {
        let bus = GoldenBus()
        try chip.watch(above: Acceleration(acceleration), on: bus)
        #expect(bus.log.contains("1F = \(byte)"))
    }

    @Test("A sample has 256 left-justified counts per g, the high byte first.")
    func samples() throws {
        let bus = GoldenBus([0x00: [0x0F, 0x10, 0x00, 0xF0, 0x00, 0x08, 0x00]])
        let batch = try chip.readSamples(on: bus)
        #expect(bus.log == ["00 ? 7"])
        #expect(batch.samples.count == 1 && !batch.isOverrun)
        #expect(batch.samples[0].isNear(1, -1, 0.5))
    }

    @Test(
        "A read returns a sample if a new sample is ready.",
        arguments: [(0x00, 0, false), (0x08, 1, false), (0xFF, 1, true)] as [(UInt8, Int, Bool)])
    func status(byte: UInt8, count: Int, isOverrun: Bool) throws {
        let batch = try chip.readSamples(on: GoldenBus([0x00: [byte]]))
        #expect(batch.samples.count == count && batch.isOverrun == isOverrun)
    }

    @Test("The chip has detected motion if EA is set.", arguments: [(0x60, true), (0x20, false)] as [(UInt8, Bool)])
    func wake(source: UInt8, isAwake: Bool) throws {
        let bus = GoldenBus([0x1E: [source]])
        #expect(try chip.takeWake(on: bus) == isAwake)
        #expect(bus.log == ["1E ? 1"])
    }

    private func rest(_ bench: FakeChipBench, samples: Int, after begin: () throws -> Void) rethrows {
        try begin()
        for _ in 0..<samples { bench.feed(AccelerationSample(x: 0, y: 0, z: 9.80665)) }
    }
}
