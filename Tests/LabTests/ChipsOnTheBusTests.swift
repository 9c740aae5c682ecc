import Contracts
import Devices
import Motion
import Quantities
import TestSupport
import Testing

extension FakeChip: LabChip {}

extension InTheLab {
    @Suite("A chip on the kernel's I²C bus")
    struct ChipsOnTheBusTests {
        @Test("Every chip on the kernel's bus fulfils the chip contract.", arguments: Accelerometers.names)
        func contract(model: String) throws {
            let chip = try #require(Accelerometers.named(model))
            let socket = ChipSocket()
            #expect(violationsOfChipContract(of: chip, on: { LabChipBench(chip, in: socket) }) == [])
        }

        @Test("Every chip on an SMBus adapter fulfils the chip contract.", arguments: Accelerometers.names)
        func smbusOnly(model: String) throws {
            let chip = try #require(Accelerometers.named(model))
            try LabBus.isSMBusOnly(true)
            defer { try? LabBus.isSMBusOnly(false) }
            let socket = ChipSocket()
            #expect(violationsOfChipContract(of: chip, on: { LabChipBench(chip, in: socket) }) == [])
        }

        @Test("A missing chip, a silent chip and a missing bus have different errors.")
        func causes() throws {
            let chip = LabChipBench(try #require(Accelerometers.named("LIS3DH")), in: ChipSocket())
            #expect(Self.cause { () throws(BusError) in try chip.bus.read(0x0F, count: 1) } == nil)
            try chip.isMute(true)
            #expect(Self.cause { () throws(BusError) in try chip.bus.read(0x0F, count: 1) } == .busy)
            try chip.isMute(false)
            chip.remove(true)
            #expect(Self.cause { () throws(BusError) in try chip.bus.read(0x0F, count: 1) } == .noAnswer)
            let elsewhere = I2CBus(path: "/dev/i2c-9", address: 0x19)
            #expect(Self.cause { () throws(BusError) in try elsewhere.read(0x0F, count: 1) } == .gone)
        }

        private static func cause(_ act: () throws(BusError) -> [UInt8]) -> BusError.Reason? {
            do throws(BusError) {
                _ = try act()
                return nil
            } catch {
                return error.reason
            }
        }
    }
}

/// The chip on the bus; the next chip replaces it.
private final class ChipSocket {
    var lab: LabBus?
}

/// A chip model behind the kernel's bus, and the daemon's own bus in front of it.
private final class LabChipBench: ChipBench {
    let bus: I2CBus
    private let chip: FakeChip
    private let socket: ChipSocket
    private var lab: LabBus? { socket.lab }

    init(_ kind: any Accelerometer, in socket: ChipSocket) {
        self.socket = socket
        let address = kind.addresses[0]
        // The contract test of the fakes reports a model without a fake.
        chip = FakeChip(model: kind.model) ?? FakeChip(FakeSilicons.rows[0].make)
        // The bus accepts only one server at a time.
        socket.lab = nil
        socket.lab = try? LabBus([address: chip])
        bus = I2CBus(path: LabBus.device, address: address)
    }

    func feed(_ sample: AccelerationSample) { lab?.touch { chip.feed(sample) } }

    var isInterruptActive: Bool { lab?.touch { chip.isInterruptActive } ?? false }

    var transferCount: Int { (try? LabBus.transfers()) ?? 0 }

    func fail(after count: Int, isLost: Bool) {
        if isLost { lab?.loseAnswer(at: count + 1) } else { try? LabBus.fail(at: count + 1) }
    }

    func cancelFailures() {
        lab?.loseAnswer(at: 0)
        try? LabBus.fail(at: 0)
    }

    func remove(_ isGone: Bool) {
        if isGone { losePower() }
        try? lab?.isUnplugged(isGone)
    }

    func losePower() { lab?.touch { chip.losePower() } }

    func disguise() { lab?.touch { chip.disguise(as: 0xA5) } }

    func isMute(_ isMute: Bool) throws { try lab?.isMute(isMute) }
}
