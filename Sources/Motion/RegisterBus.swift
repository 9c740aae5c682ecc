/// A chip on a bus, seen as its registers: the seam between what a chip means and how its bytes travel.
package protocol RegisterBus: AnyObject {
    /// Reads up to 32 bytes from `register` on, in one transfer.
    func read(_ register: UInt8, count: Int) throws(BusError) -> [UInt8]

    /// Reads `count` groups of `size` bytes from a FIFO at `register`, in one transfer where the adapter can.
    ///
    /// One that cannot needs several, each of which begins at `register` again and takes whole groups.
    func read(_ register: UInt8, groups count: Int, of size: Int) throws(BusError) -> [UInt8]

    /// Writes bytes from `register` on, in one transfer.
    func write(_ bytes: [UInt8], to register: UInt8) throws(BusError)
}

extension RegisterBus {
    /// In one transfer, on a bus that knows no limit.
    package func read(_ register: UInt8, groups count: Int, of size: Int) throws(BusError) -> [UInt8] {
        try read(register, count: count * size)
    }
}

/// A transfer on a bus did not happen.
package struct BusError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Why it did not.
    package enum Cause: Sendable, Hashable {
        /// No chip has acknowledged its address.
        case noAnswer
        /// The bus is held or did not become free in time.
        case busy
        /// The bus itself is not there any more.
        case gone
        /// The system forbids it.
        case forbidden
        /// A driver of the kernel has the chip.
        case taken
        /// Something else, in the system's words.
        case other(String)
    }

    /// The bus and the address on it, such as `/dev/i2c-1 address 0x19`.
    package let place: String
    /// Why.
    package let cause: Cause

    /// Makes an error of that place.
    package init(place: String, cause: Cause) {
        self.place = place
        self.cause = cause
    }

    /// What happened and what to do.
    package var description: String {
        switch cause {
        case .noAnswer: "\(place): no chip answers. Check the wiring, or run `trackerd doctor` to see what does."
        case .busy: "\(place): the bus is busy. A wire may be shorted, or another program hold the bus."
        case .gone: "\(place): the bus is gone. Run `trackerd doctor`; docs/wiring.md tells what enables it."
        case .forbidden: "\(place): this user may not use the bus. Install the rules in udev/, or join the group `i2c`."
        case .taken:
            "\(place): a driver of the kernel has the chip. Take its `dtoverlay` out of config.txt and boot again."
        case .other(let words): "\(place): the transfer was refused (\(words)). Run `trackerd doctor`."
        }
    }
}
