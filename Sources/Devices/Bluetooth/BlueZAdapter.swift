import CBlueZ
package import Hardware

package final class BlueZAdapter: BluetoothAdapter {
    package let name: String
    private let index: Int32

    package init(_ index: Int) {
        self.index = Int32(clamping: index)
        name = "hci\(index)"
    }

    package func open() -> any AdapterLink { BlueZLink(index) }
}

/// The shim may still be opening the adapter.
private final class BlueZLink: AdapterLink {
    /// Nil if the program is out of memory, descriptors or threads.
    private let bluez: OpaquePointer?

    init(_ index: Int32) { bluez = cbluez_create(index) }

    deinit { if let bluez { cbluez_destroy(bluez) } }

    var interest: Wait.Interest? { bluez.map { .read(cbluez_fd($0)) } }

    func isOpen() throws(AdapterError) -> Bool {
        guard let bluez else { throw .failed(reason: "no descriptor or thread is left") }
        return try check(cbluez_take_over(bluez), bluez)
    }

    func send(_ packet: [UInt8]) throws(AdapterError) {
        guard let bluez else { return }
        _ = try check(cbluez_send(bluez, packet, packet.count), bluez)
    }

    func receive() throws(AdapterError) -> [UInt8]? {
        guard let bluez else { return nil }
        var outcome = CBLUEZ_NOTHING_YET
        let room = Int(CBLUEZ_LONGEST_EVENT)
        let packet = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            outcome = cbluez_read(bluez, buffer.baseAddress, &count)
            if outcome != CBLUEZ_DONE { count = 0 }
        }
        return try check(outcome, bluez) ? packet : nil
    }

    /// False if the result is not known yet.
    private func check(_ outcome: cbluez_outcome, _ bluez: OpaquePointer) throws(AdapterError) -> Bool {
        switch outcome {
        case CBLUEZ_DONE: return true
        case CBLUEZ_NOTHING_YET: return false
        case CBLUEZ_ABSENT: throw .absent
        case CBLUEZ_BLOCKED: throw .blocked
        case CBLUEZ_NOT_PERMITTED: throw .notPermitted
        case CBLUEZ_OFF: throw .off
        case CBLUEZ_TAKEN: throw .taken
        case CBLUEZ_NO_LOW_ENERGY: throw .noLowEnergy
        case CBLUEZ_SILENT: throw .silent
        case CBLUEZ_DOWN: throw .down
        case CBLUEZ_GONE: throw .unplugged
        default: throw .failed(reason: String(cString: cbluez_reason(bluez)))
        }
    }
}
