import Contracts
import Motion
import TestSupport

final class FakeChipBench: ChipBench {
    let bus: FakeBus.Device
    private let wires = FakeBus()
    private let chip: FakeChip
    private static let address: UInt8 = 0x18

    init(_ chip: FakeChip, maximumBlockLength: Int = .max) {
        self.chip = chip
        wires.maximumBlockLength = maximumBlockLength
        wires.attach(chip, at: Self.address)
        bus = wires.device(at: Self.address)
    }

    func feed(_ sample: AccelerationSample) { chip.feed(sample) }
    var isInterruptActive: Bool { chip.isInterruptActive }
    var transferCount: Int { wires.transfers.count }
    var transfers: [FakeBus.Transfer] { wires.transfers }
    func fail(after count: Int, isLost: Bool) { wires.fail(count, isLost ? .lost : .refused) }
    func cancelFailures() { wires.cancelFailures() }

    func remove(_ isGone: Bool) {
        if isGone { chip.losePower() }
        wires.attach(isGone ? nil : chip, at: Self.address)
    }

    func losePower() { chip.losePower() }
    func disguise() { chip.disguise(as: 0x55) }
}
