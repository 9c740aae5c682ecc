package protocol RegisterBus: AnyObject {
    /// Reads up to 32 bytes in one transfer.
    func read(_ register: UInt8, count: Int) throws(BusError) -> [UInt8]

    /// Uses one transfer if the adapter can. Otherwise it uses several transfers of whole groups, each from `register`
    /// again.
    func read(_ register: UInt8, groups count: Int, of size: Int) throws(BusError) -> [UInt8]

    /// Writes up to 32 bytes in one transfer.
    func write(_ bytes: [UInt8], to register: UInt8) throws(BusError)
}

extension RegisterBus {
    package func read(_ register: UInt8, groups count: Int, of size: Int) throws(BusError) -> [UInt8] {
        try read(register, count: count * size)
    }
}

package struct BusError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Reason: Sendable, Hashable {
        /// No chip acknowledged the address.
        case noAnswer
        case busy
        case gone
        case forbidden
        case taken
        case other(String)
    }

    package let subject: String
    package let reason: Reason

    package init(_ subject: String, _ reason: Reason) {
        self.subject = subject
        self.reason = reason
    }

    package var cause: String {
        switch reason {
        case .noAnswer: "no chip answers"
        case .busy: "the bus is busy"
        case .gone: "the bus has disappeared"
        case .forbidden: "this user has no permission to use the bus"
        case .taken: "a kernel driver uses the chip"
        case .other(let words): "the transfer was refused (\(words))"
        }
    }

    package var remedy: String? {
        switch reason {
        case .noAnswer: "Check the wiring, or run `sudo -u trackerd trackerd doctor` to see which chips answer."
        case .busy: "Check for a short circuit, and for another program that uses the bus."
        case .gone: "Run `sudo -u trackerd trackerd doctor`; docs/wiring.md describes how to enable the bus."
        case .forbidden: "Install trackerd's udev rules, or add its user to the group `i2c`."
        case .taken: "Remove its `dtoverlay` from config.txt and restart the computer."
        case .other: "Run `sudo -u trackerd trackerd doctor`."
        }
    }

    package var description: String { "\(subject): \(cause).\(remedy.map { " \($0)" } ?? "")" }
}

package enum ChipError: Error, Sendable, Hashable, CustomStringConvertible {
    case bus(BusError)
    /// `expected` are the valid identities of the model.
    case foreign(model: String, expected: [UInt8], found: UInt8)

    package var subject: String {
        switch self {
        case .bus(let error): error.subject
        case .foreign(let model, _, _): model
        }
    }

    package var cause: String {
        switch self {
        case .bus(let error): error.cause
        case .foreign(let model, let expected, let found):
            """
            the chip is not a \(model): its identity is \(Self.hexadecimal(found)), not \
            \(expected.map(Self.hexadecimal).joined(separator: " or "))
            """
        }
    }

    package var remedy: String? {
        switch self {
        case .bus(let error): error.remedy
        case .foreign: "Run `sudo -u trackerd trackerd doctor` to see which chip it is."
        }
    }

    package var description: String { "\(subject): \(cause).\(remedy.map { " \($0)" } ?? "")" }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return "0x" + (digits.count < 2 ? "0" : "") + digits
    }
}

extension RegisterBus {
    func get(_ register: UInt8, count: Int) throws(ChipError) -> [UInt8] {
        try transfer { () throws(BusError) in try read(register, count: count) }
    }

    func get(_ register: UInt8) throws(ChipError) -> UInt8 {
        try get(register, count: 1).first ?? 0
    }

    func program(_ settings: [(register: UInt8, value: UInt8)]) throws(ChipError) {
        for setting in settings {
            try transfer { () throws(BusError) in try write([setting.value], to: setting.register) }
        }
    }

    func has(_ settings: [(register: UInt8, value: UInt8)]) throws(ChipError) -> Bool {
        for setting in settings where try get(setting.register) != setting.value { return false }
        return true
    }

    func expect(_ accepted: [UInt8], at register: UInt8, of model: String) throws(ChipError) {
        let found = try get(register)
        guard accepted.contains(found) else { throw .foreign(model: model, expected: accepted, found: found) }
    }

    /// Reads at most `reads` times, since there is no clock here: a read takes 0.1 ms on a bus of 400 kHz, 0.4 ms at
    /// 100 kHz. False if the bits never have the value.
    func poll(_ register: UInt8, mask: UInt8, for value: UInt8, atMost reads: Int = 64) throws(ChipError) -> Bool {
        for _ in 0..<reads where try get(register) & mask == value { return true }
        return false
    }

    /// Reads at most 192 bytes at once (32 samples of 6): many adapters do not support long transfers.
    func getGroups(_ count: Int, of size: Int, from register: UInt8) throws(ChipError) -> [UInt8] {
        var bytes: [UInt8] = []
        var remaining = count
        while remaining > 0 {
            let portion = min(remaining, 192 / size)
            bytes += try transfer { () throws(BusError) in try read(register, groups: portion, of: size) }
            remaining -= portion
        }
        return bytes
    }

    private func transfer<Value>(_ body: () throws(BusError) -> Value) throws(ChipError) -> Value {
        do { return try body() } catch { throw .bus(error) }
    }
}
