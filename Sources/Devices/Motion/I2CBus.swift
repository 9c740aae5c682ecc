import CI2C
import Glibc
package import Motion

/// The first transfer opens the bus. If the bus disappears, a later transfer opens it again.
package final class I2CBus: RegisterBus {
    /// The limit of an SMBus adapter in bytes (`I2C_SMBUS_BLOCK_MAX`).
    private static let maximumBlockLength = 32

    package let path: String
    package let address: UInt8

    private var bus: Int32 = -1

    package init(path: String, address: UInt8) {
        self.path = path
        self.address = address
    }

    deinit { close() }

    package func read(_ register: UInt8, count: Int) throws(BusError) -> [UInt8] {
        try read(register, count: count, block: Self.maximumBlockLength)
    }

    package func read(_ register: UInt8, groups count: Int, of size: Int) throws(BusError) -> [UInt8] {
        try read(register, count: count * size, block: Self.maximumBlockLength / size * size)
    }

    package func write(_ bytes: [UInt8], to register: UInt8) throws(BusError) {
        try check(ci2c_write(open(), address, register, bytes, Int32(bytes.count)))
    }

    package func isAnswered() throws(BusError) -> Bool {
        let answer = try ci2c_probe(open(), address)
        if answer < 0 { try check(answer) }
        return answer == 1
    }

    private func read(_ register: UInt8, count: Int, block: Int) throws(BusError) -> [UInt8] {
        let bus = try open()
        var bytes = [UInt8](repeating: 0, count: count)
        try check(ci2c_read(bus, address, register, &bytes, Int32(count), Int32(block)))
        return bytes
    }

    private func open() throws(BusError) -> Int32 {
        if bus < 0 {
            let opened = ci2c_open(path)
            try check(opened)
            bus = opened
        }
        return bus
    }

    private func close() {
        if bus >= 0 { ci2c_close(bus) }
        bus = -1
    }

    private func check(_ result: Int32) throws(BusError) {
        guard result < 0 else { return }
        let reason: BusError.Reason
        switch result {
        case CI2C_NO_ANSWER.rawValue: reason = .noAnswer
        case CI2C_BUSY.rawValue: reason = .busy
        case CI2C_GONE.rawValue: reason = .gone
        case CI2C_FORBIDDEN.rawValue: reason = .forbidden
        case CI2C_TAKEN.rawValue: reason = .taken
        default: reason = .other(String(cString: strerror(ci2c_errno())))
        }
        if reason == .gone { close() }
        let digits = String(address, radix: 16)
        throw BusError("\(path) address 0x\(digits.count < 2 ? "0" : "")\(digits)", reason)
    }
}
