import Motion
import TestSupport
import Testing

@Suite("Fake chip")
struct FakeChipTests {
    private let up = AccelerationSample(x: 0, y: 0, z: 9.80665)

    @Test("A fake chip answers bus messages: a register pointer, then bytes.")
    func messages() throws {
        let chip = try #require(FakeChip(model: "ADXL345"))
        chip.write([0x00])
        #expect(chip.read(count: 1) == [0xE5])
        chip.write([0x2D, 0x08, 0x10])
        chip.write([0x2D])
        #expect(chip.read(count: 2) == [0x08, 0x10])
    }

    @Test("A fake LIS3DH increments its register pointer only if the highest bit is set.")
    func increment() throws {
        let chip = try #require(FakeChip(model: "LIS3DH"))
        chip.write([0x20, 0x37])
        chip.write([0x0F])
        #expect(chip.read(count: 2) == [0x33, 0x33])
        chip.write([UInt8(0x1F) | 0x80])
        #expect(chip.read(count: 2) == [0x00, 0x37])
    }

    @Test("A frozen fake chip repeats the same sample.")
    func frozen() throws {
        let chip = try #require(FakeChip(model: "MPU-6500"))
        let driver = try #require(Accelerometers.named("MPU-6500"))
        let bus = FakeBus()
        bus.attach(chip, at: 0x68)
        try driver.stream(on: bus.device(at: 0x68))
        chip.feed(up)
        chip.isFrozen = true
        chip.feed(up * 2)
        let samples = try driver.readSamples(on: bus.device(at: 0x68)).samples
        #expect(samples.count == 2 && samples[0] == samples[1])
    }

    @Test("A fake chip does not answer at another address or after its removal.")
    func gone() throws {
        let bus = FakeBus()
        bus.attach(FakeChip(model: "LIS3DH"), at: 0x18)
        #expect(try bus.device(at: 0x18).read(0x0F, count: 1) == [0x33])
        let missing = BusError("/dev/i2c-1 address 0x19", .noAnswer)
        #expect(throws: missing) { try bus.device(at: 0x19).read(0x0F, count: 1) }
        bus.attach(nil, at: 0x18)
        #expect(throws: BusError.self) { try bus.device(at: 0x18).read(0x0F, count: 1) }
        #expect(
            bus.transfers == [
                .read(register: 0x0F, count: 1, address: 0x18), .read(register: 0x0F, count: 1, address: 0x19),
                .read(register: 0x0F, count: 1, address: 0x18),
            ])
    }

    @Test("A planned bus failure happens once.")
    func plan() throws {
        let bus = FakeBus()
        bus.attach(FakeChip(model: "LIS3DH"), at: 0x18)
        let device = bus.device(at: 0x18)
        bus.fail(1, cause: .busy)
        try device.write([0x37], to: 0x20)
        #expect(throws: BusError("/dev/i2c-1 address 0x18", .busy)) { try device.write([0x2F], to: 0x20) }
        #expect(try device.read(0x20, count: 1) == [0x37])
        bus.fail(0, .lost)
        #expect(throws: BusError.self) { try device.write([0x2F], to: 0x20) }
        #expect(try device.read(0x20, count: 1) == [0x2F])
    }

    @Test(
        "Samples of seven bytes are complete on an adapter that transfers 32 bytes at a time.",
        arguments: [4, 6, 12, 18])
    func shortTransfers(count: Int) throws {
        let driver = try #require(Accelerometers.named("LSM6DSO"))
        let bench = FakeChipBench(try #require(FakeChip(model: "LSM6DSO")), maximumBlockLength: 32)
        try driver.stream(on: bench.bus)
        for index in 0..<count { bench.feed(AccelerationSample(x: Double(index), y: 0, z: 9.80665)) }
        let samples = try driver.readSamples(on: bench.bus).samples
        #expect(samples.count == count)
        #expect(samples.enumerated().allSatisfy { ($1.x - Double($0)).magnitude < 0.01 })
    }

    @Test("A tagged sample that was read only in part can be read again.")
    func tornTransfer() throws {
        let chip = try #require(FakeChip(model: "LSM6DSO"))
        let bus = FakeBus()
        bus.attach(chip, at: 0x6A)
        let device = bus.device(at: 0x6A)
        try #require(Accelerometers.named("LSM6DSO")).stream(on: device)
        chip.feed(up)
        let half = try device.read(0x78, count: 3)
        #expect(try device.read(0x78, count: 7).prefix(3) == half[...])
        #expect(half.first == 0x10)
    }

    @Test("An unknown model has no fake chip.")
    func unknown() {
        #expect(FakeChip(model: "LIS3") == nil)
    }
}
