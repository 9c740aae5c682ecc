/// A chip on a bus as a set of registers: the interface between chip drivers and the transfer of bytes.
package protocol RegisterBus: AnyObject {
    /// Reads up to 32 bytes, starting at `register`, in one transfer.
    func read(_ register: UInt8, count: Int) throws(BusError) -> [UInt8]

    /// Reads `count` groups of `size` bytes from a FIFO at `register`, in one transfer if the bus adapter can do this.
    ///
    /// With other adapters the function makes several transfers; each transfer starts at `register` again and reads whole groups.
    func read(_ register: UInt8, groups count: Int, of size: Int) throws(BusError) -> [UInt8]

    /// Writes bytes, starting at `register`, in one transfer.
    func write(_ bytes: [UInt8], to register: UInt8) throws(BusError)
}

extension RegisterBus {
    /// Reads all groups in one transfer, on a bus without a limit.
    package func read(_ register: UInt8, groups count: Int, of size: Int) throws(BusError) -> [UInt8] {
        try read(register, count: count * size)
    }
}

/// A transfer on a bus failed.
package struct BusError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Why the transfer failed.
    package enum Reason: Sendable, Hashable {
        /// No chip acknowledged the address.
        case noAnswer
        /// The bus did not become free in time.
        case busy
        /// The bus does not exist any more.
        case gone
        /// The user has no permission for the bus.
        case forbidden
        /// A kernel driver already uses the chip.
        case taken
        /// Another reason, as the system reports it.
        case other(String)
    }

    /// The bus and the address on it, such as `/dev/i2c-1 address 0x19`.
    package let subject: String
    package let reason: Reason

    package init(_ subject: String, _ reason: Reason) {
        self.subject = subject
        self.reason = reason
    }

    /// What happened.
    package var cause: String {
        switch reason {
        case .noAnswer: "no chip answers"
        case .busy: "the bus is busy"
        case .gone: "the bus has disappeared"
        case .forbidden: "this user may not use the bus"
        case .taken: "a kernel driver uses the chip"
        case .other(let words): "the transfer was refused (\(words))"
        }
    }

    /// The remedy, as advice to the user.
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

// MARK: What chip drivers use

extension RegisterBus {
    /// Reads `count` bytes, starting at `register`.
    func get(_ register: UInt8, count: Int) throws(ChipError) -> [UInt8] {
        do {
            return try read(register, count: count)
        } catch {
            throw .bus(error)
        }
    }

    /// Reads one register.
    func get(_ register: UInt8) throws(ChipError) -> UInt8 {
        try get(register, count: 1).first ?? 0
    }

    /// Writes registers in this order, each in a separate transfer.
    func program(_ settings: [(register: UInt8, value: UInt8)]) throws(ChipError) {
        for setting in settings {
            do {
                try write([setting.value], to: setting.register)
            } catch {
                throw .bus(error)
            }
        }
    }

    /// Whether the registers have these values.
    func has(_ settings: [(register: UInt8, value: UInt8)]) throws(ChipError) -> Bool {
        for setting in settings where try get(setting.register) != setting.value { return false }
        return true
    }

    /// Throws unless the chip's identity register has one of these values.
    func expect(_ accepted: [UInt8], at register: UInt8, of model: String) throws(ChipError) {
        let found = try get(register)
        guard accepted.contains(found) else {
            throw .foreign(model: model, expected: accepted, found: found)
        }
    }

    /// Reads a register until the bits under `mask` are `value`, at most `reads` times; returns whether the bits have this value.
    ///
    /// The function has no clock, so the number of reads limits the wait. A read takes 0.1 ms on a bus of 400 kHz, and 0.4 ms
    /// on a bus of 100 kHz.
    func poll(
        _ register: UInt8, mask: UInt8, for value: UInt8, atMost reads: Int = 64
    ) throws(ChipError) -> Bool {
        for _ in 0..<reads where try get(register) & mask == value { return true }
        return false
    }

    /// Reads `count` groups of `size` bytes in bursts of at most 192 bytes, which is 32 samples of 6 bytes.
    ///
    /// Many adapters, and some of their drivers, do not support long transfers.
    func getGroups(_ count: Int, of size: Int, from register: UInt8) throws(ChipError) -> [UInt8] {
        var bytes: [UInt8] = []
        var remaining = count
        while remaining > 0 {
            let portion = min(remaining, 192 / size)
            do {
                bytes += try read(register, groups: portion, of: size)
            } catch {
                throw .bus(error)
            }
            remaining -= portion
        }
        return bytes
    }
}
