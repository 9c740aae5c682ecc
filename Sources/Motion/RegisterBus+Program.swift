extension RegisterBus {
    /// Reads `count` bytes from `register` on.
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

    /// Writes one register after the other, each in a transfer of its own, in this order.
    func program(_ settings: [(register: UInt8, value: UInt8)]) throws(ChipError) {
        for setting in settings {
            do {
                try write([setting.value], to: setting.register)
            } catch {
                throw .bus(error)
            }
        }
    }

    /// Throws unless the identity register of the chip holds one of these values.
    func expect(_ accepted: [UInt8], at register: UInt8, of model: String) throws(ChipError) {
        let found = try get(register)
        guard accepted.contains(found) else {
            throw .foreign(model: model, expected: accepted, found: found)
        }
    }

    /// Reads a register until the bits under `mask` are `value`, but not for ever; tells whether they are.
    ///
    /// There is no clock here: a read takes 0.1 ms on a bus of 400 kHz and 0.4 ms on one of 100 kHz, and that is the
    /// wait.
    func poll(
        _ register: UInt8, mask: UInt8, for value: UInt8, atMost reads: Int = 64
    ) throws(ChipError) -> Bool {
        for _ in 0..<reads where try get(register) & mask == value { return true }
        return false
    }

    /// Reads `count` groups of `size` bytes in bursts of at most 192 bytes.
    ///
    /// Many adapters, and some drivers of them, are not made for long transfers; 192 bytes are 32 samples.
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
