import Motion

struct FakeADXL345: FakeSilicon {
    static let identityRegister: UInt8 = 0x00
    var parts = FakeParts([0x00: 0xE5, 0x2C: 0x0A, 0x30: 0x02], fifo: 32 * 6)

    private var hasReference = false
    private var isMeasuring: Bool { parts.registers[0x2D] & 0x08 != 0 }
    private var isStreaming: Bool { parts.registers[0x38] >> 6 == 2 }

    mutating func write(_ byte: UInt8, at pointer: UInt8) {
        guard pointer >= 0x1D, pointer != 0x2B, pointer != 0x30, !(0x32...0x37).contains(pointer), pointer != 0x39
        else { return }
        parts.registers[pointer] = byte
        if pointer == 0x38, byte >> 6 == 0 { parts.fifo.clear() }
        // Activity detection restarts with the next measurement as its reference.
        if [0x27, 0x2D, 0x2E].contains(pointer) { hasReference = false }
    }

    mutating func read(at pointer: UInt8) -> UInt8 {
        switch pointer {
        case 0x30:
            defer { parts.isAwake = false }
            return (parts.isAwake ? 0x10 : 0) | (parts.fifo.isOverrun ? 0x01 : 0)
        case 0x32...0x37:
            let index = Int(pointer - 0x32)
            guard parts.fifo.bytes.count >= 6 else { return frame[index] }
            defer { if index == 5 { parts.fifo.drop(6) } }
            return parts.fifo.bytes[index]
        case 0x39:
            return UInt8(parts.fifo.bytes.count / 6)
        default:
            return parts.registers[pointer]
        }
    }

    /// In full resolution, 1 g is 256 LSB in every range. Otherwise, ten bits cover the whole range.
    private var frame: [UInt8] {
        let format = parts.registers[0x31]
        let range = Int(format & 0x03)
        let isFull = format & 0x08 != 0
        let digit = 1000.0 / 256 * Double(isFull ? 1 : 1 << range)
        return parts.digits(milligravities: digit, limit: isFull ? 512 << range : 512).flatMap(\.littleEndian16)
    }

    mutating func measure() {
        guard isMeasuring else { return }
        if isStreaming { parts.fifo.push(frame) }
        let control = parts.registers[0x27]
        guard control & 0x70 == 0x70 else { return }
        if !hasReference {
            parts.reference = parts.world
            hasReference = true
        }
        let felt = control & 0x80 != 0 ? parts.world - parts.reference : parts.world
        if parts.exceeds(felt, milligravities: Double(parts.registers[0x24]) * 62.5) { parts.isAwake = true }
    }

    var isIdleHigh: Bool { parts.registers[0x31] & 0x20 != 0 }

    var isInterruptActive: Bool {
        parts.isAwake && parts.registers[0x2E] & 0x10 != 0 && parts.registers[0x2F] & 0x10 == 0
            && parts.registers[0x31] & 0x20 == 0
    }
}
