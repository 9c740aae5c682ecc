import Motion

/// An LSM6DS3, LSM6DS3TR-C or LSM6DSO; the chip's identity selects the model.
struct FakeLSM6DS3: FakeSilicon {
    static let identityRegister: UInt8 = 0x0F
    var parts: FakeParts

    private let identity: UInt8

    init(identity: UInt8, fifo capacity: Int) {
        self.identity = identity
        parts = FakeParts([0x0F: identity, 0x12: 0x04], fifo: capacity)
    }

    private var isTagged: Bool { identity == 0x6C }
    private var rate: UInt8 { parts.registers[0x10] >> 4 }
    private var isCollecting: Bool {
        let isBatched = isTagged ? parts.registers[0x09] & 0x0F != 0 : parts.registers[0x08] & 0x07 == 1
        let hasRate = isTagged || parts.registers[0x0A] >> 3 & 0x0F != 0
        return parts.registers[0x0A] & 0x07 == 6 && isBatched && hasRate
    }

    func pointer(after pointer: UInt8) -> UInt8 {
        guard parts.registers[0x12] & 0x04 != 0 else { return pointer }
        switch pointer {
        case 0x3F where !isTagged: return 0x3E
        case 0x7E where isTagged: return 0x78
        default: return pointer &+ 1
        }
    }

    mutating func write(_ byte: UInt8, at pointer: UInt8) {
        guard ![0x0F, 0x1B, 0x1E].contains(pointer), !(0x28...0x3F).contains(pointer), pointer < 0x78 else { return }
        parts.registers[pointer] = byte
        if pointer == 0x0A, byte & 0x07 == 0 { parts.fifo.clear() }
    }

    mutating func read(at pointer: UInt8) -> UInt8 {
        switch pointer {
        case 0x1B:
            defer { parts.isAwake = false }
            return parts.isAwake ? 0x08 : 0x00
        case 0x1E:
            // At 1.66 kHz and more, the next sample is ready before the next read.
            if rate >= 8 { measure() }
            return parts.isFresh ? 0x01 : 0x00
        case 0x28...0x2D:
            if pointer == 0x2D { parts.isFresh = false }
            return frame[Int(pointer - 0x28)]
        case 0x3A...0x3D:
            return status[Int(pointer - 0x3A)]
        case 0x3E...0x3F where !isTagged:
            return parts.fifo.pop() ?? 0
        case 0x78...0x7E where isTagged:
            return tagged(Int(pointer - 0x78))
        default:
            return parts.registers[pointer]
        }
    }

    /// Returns a byte of the oldest sample.
    ///
    /// Reading the sample's last byte removes the sample; until then, a driver can read the sample again.
    private mutating func tagged(_ index: Int) -> UInt8 {
        parts.fifo.isOverrun = false
        guard parts.fifo.bytes.count >= 7 else { return 0 }
        defer { if index == 6 { parts.fifo.drop(7) } }
        return parts.fifo.bytes[index]
    }

    private var status: [UInt8] {
        let bytes = parts.fifo.bytes.count
        let words = isTagged ? bytes / 7 : bytes / 2
        let count = [UInt8(words & 0xFF), UInt8(words >> 8 & 0x0F)]
        let overrun: UInt8 = parts.fifo.isOverrun ? 0x40 : 0
        guard !isTagged else { return [count[0], count[1] | overrun | overrun >> 3, 0, 0] }
        let empty: UInt8 = bytes == 0 ? 0x10 : 0
        let next = UInt8((6 - bytes % 6) % 6 / 2)
        return [count[0], count[1] | overrun | empty, next, 0]
    }

    /// A sample in the range that FS_XL selects: its values 0 to 3 are ±2, ±16, ±4 and ±8 g.
    private var frame: [UInt8] {
        let digit = [0.061, 0.488, 0.122, 0.244][Int(parts.registers[0x10] >> 2 & 0x03)]
        return parts.digits(milligravities: digit, limit: 32768).flatMap(\.littleEndian16)
    }

    mutating func measure() {
        guard rate != 0 else { return }
        parts.isFresh = true
        if isCollecting { parts.fifo.push(isTagged ? [0x02 << 3] + frame : frame) }
        compare()
    }

    /// Compares the slope with the threshold; the slope is half the difference between this sample and the sample before it.
    private mutating func compare() {
        let range = [2.0, 16.0, 4.0, 8.0][Int(parts.registers[0x10] >> 2 & 0x03)]
        // The chip subtracts raw digits. If the range has changed since the previous sample, the digits of the two
        // samples have different sizes.
        let digits = parts.world * (1 / range)
        let slope = (digits - parts.reference) * (range / 2)
        parts.reference = digits
        let limit = Double(parts.registers[0x5B] & 0x3F) * range * 1000 / 64
        if isEnabled, parts.exceeds(slope, milligravities: limit) { parts.isAwake = true }
    }

    /// Whether the interrupt is latched, uses the slope filter, and is enabled as the model requires.
    private var isEnabled: Bool {
        switch identity {
        case 0x69: parts.registers[0x58] & 0x11 == 0x01
        case 0x6A: parts.registers[0x58] & 0x91 == 0x81
        default: parts.registers[0x56] & 0x51 == 0x41 && parts.registers[0x58] & 0x80 != 0
        }
    }

    var isIdleHigh: Bool { parts.registers[0x12] & 0x20 != 0 }

    var isInterruptActive: Bool {
        // The chip routes the interrupt to INT1, which is active high and push-pull.
        parts.isAwake && parts.registers[0x5E] & 0x20 != 0 && parts.registers[0x12] & 0x30 == 0
    }
}
