package import Motion

/// Records all transfers to its chips, and makes transfers fail as planned.
package final class FakeBus {
    package enum Transfer: Sendable, Hashable {
        case write([UInt8], register: UInt8, address: UInt8)
        case read(register: UInt8, count: Int, address: UInt8)
    }

    package enum Fault: Sendable, Hashable {
        /// The transfer does not reach the chip.
        case refused
        /// The chip carries the transfer out, but the answer is lost.
        case lost
    }

    /// The maximum number of bytes per transfer when the driver reads groups of bytes.
    ///
    /// Other reads have no limit. With the limit of an SMBus-only adapter, the bus reads a FIFO in parts.
    package var maximumBlockLength = Int.max

    /// The transfers so far, including failed ones.
    package private(set) var transfers: [Transfer] = []

    /// Called after each transfer, so that a test can react to the chips' pins.
    package var afterTransfer: () -> Void = {}

    private let name: String
    private var chips: [UInt8: FakeChip] = [:]
    private var plan: [(number: Int, fault: Fault, cause: BusError.Reason)] = []

    package init(_ name: String = "/dev/i2c-1") { self.name = name }

    /// Attaches a chip, or detaches it if `chip` is nil.
    package func attach(_ chip: FakeChip?, at address: UInt8) { chips[address] = chip }

    /// Makes one transfer fail after `later` further transfers; 0 means the next transfer.
    package func fail(
        _ later: Int = 0, _ fault: Fault = .refused, cause: BusError.Reason = .other("Remote I/O error")
    ) {
        plan.append((transfers.count + later, fault, cause))
    }

    package func cancelFailures() { plan = [] }

    package func device(at address: UInt8) -> Device { Device(bus: self, address: address) }

    package final class Device: RegisterBus {
        private let bus: FakeBus
        private let address: UInt8

        fileprivate init(bus: FakeBus, address: UInt8) {
            self.bus = bus
            self.address = address
        }

        package func read(_ register: UInt8, count: Int) throws(BusError) -> [UInt8] {
            try bus.carry(.read(register: register, count: count, address: address), address) { chip in
                chip.write([register])
                return chip.read(count: count)
            }
        }

        package func read(_ register: UInt8, groups count: Int, of size: Int) throws(BusError) -> [UInt8] {
            var bytes: [UInt8] = []
            let groups = max(1, bus.maximumBlockLength / size)
            for start in stride(from: 0, to: count, by: groups) {
                bytes += try read(register, count: min(groups, count - start) * size)
            }
            return bytes
        }

        package func write(_ bytes: [UInt8], to register: UInt8) throws(BusError) {
            _ = try bus.carry(.write(bytes, register: register, address: address), address) { chip in
                chip.write([register] + bytes)
                return []
            }
        }
    }

    private func carry(
        _ transfer: Transfer, _ address: UInt8, _ act: (FakeChip) -> [UInt8]
    ) throws(BusError) -> [UInt8] {
        let planned = plan.first { $0.number == transfers.count }
        transfers.append(transfer)
        defer { afterTransfer() }
        let digits = String(address, radix: 16)
        let place = "\(name) address 0x\(digits.count < 2 ? "0" : "")\(digits)"
        guard let chip = chips[address] else { throw BusError(place, .noAnswer) }
        guard let planned else { return act(chip) }
        if planned.fault == .lost { _ = act(chip) }
        throw BusError(place, planned.cause)
    }
}
