import Motion

/// An LIS3DH, or an LIS2DH12, which behaves the same.
struct FakeLIS3DH: FakeSilicon {
    static let identityRegister: UInt8 = 0x0F
    var parts = FakeParts([0x0F: 0x33, 0x20: 0x07], fifo: 32 * 6)

    private func control(_ number: UInt8) -> UInt8 { parts.registers[0x1F + number] }
    private var isLowPower: Bool { control(1) & 0x08 != 0 }
    private var isFast: Bool { control(1) >> 4 >= 7 }
    private var isStreaming: Bool { control(5) & 0x40 != 0 && parts.registers[0x2E] >> 6 == 2 }
    private var range: Int { Int(control(4) >> 4 & 0x03) }

    /// The weight of one sample in the high-pass filter; this weight puts the cut-off frequency at 1/50 of the output rate.
    private static let share = 0.12

    func pointer(after pointer: UInt8) -> UInt8 {
        guard pointer & 0x80 != 0 else { return pointer }
        return pointer == 0x2D | 0x80 && control(5) & 0x40 != 0 ? 0x28 | 0x80 : pointer &+ 1
    }

    mutating func write(_ byte: UInt8, at pointer: UInt8) {
        let register = pointer & 0x7F
        guard register >= 0x1E, !(0x27...0x2D).contains(register), register != 0x2F, register != 0x31 else { return }
        parts.registers[register] = byte
        if register == 0x2E, byte >> 6 == 0 { parts.fifo.clear() }
    }

    mutating func read(at pointer: UInt8) -> UInt8 {
        let register = pointer & 0x7F
        switch register {
        case 0x26:
            parts.reference = parts.world
        case 0x27:
            // At 400 Hz and more, the next sample is ready before the next read.
            if isFast { measure() }
            return parts.isFresh ? 0x0F : 0x00
        case 0x28...0x2D:
            return output(Int(register - 0x28))
        case 0x2F:
            let count = parts.fifo.bytes.count / 6
            return count == 0 ? 0x20 : count == 32 ? 0x5F : UInt8(count)
        case 0x31:
            defer { parts.isAwake = false }
            return parts.isAwake ? 0x40 : 0x00
        default:
            break
        }
        return parts.registers[register]
    }

    private mutating func output(_ index: Int) -> UInt8 {
        if index == 5 { parts.isFresh = false }
        guard isStreaming, parts.fifo.bytes.count >= 6 else { return frame[index] }
        defer { if index == 5 { parts.fifo.drop(6) } }
        return parts.fifo.bytes[index]
    }

    /// A left-justified sample: 8 bits in low power mode, 12 bits in high resolution outside the FIFO, otherwise 10 bits.
    private var frame: [UInt8] {
        let bits = isLowPower ? 8 : control(4) & 0x08 != 0 && !isStreaming ? 12 : 10
        let finest = [1.0, 2.0, 4.0, 12.0][range]
        return parts.digits(milligravities: finest * Double(1 << (12 - bits)), limit: 1 << (bits - 1))
            .flatMap { ($0 << (16 - bits)).littleEndian16 }
    }

    mutating func measure() {
        guard control(1) >> 4 != 0 else { return }
        parts.isFresh = true
        if isStreaming { parts.fifo.push(frame) }
        let dynamic = control(2) & 0x01 != 0 ? parts.world - parts.reference : parts.world
        parts.reference = parts.reference + (parts.world - parts.reference) * Self.share
        let isFelt = parts.exceeds(
            dynamic, milligravities: Double(parts.registers[0x32] & 0x7F) * [16, 32, 62, 186][range])
        let isLatching = control(5) & 0x08 != 0
        // The comparison uses all three axes, in both directions.
        guard parts.registers[0x30] & 0x2A == 0x2A else { return }
        parts.isAwake = isFelt || parts.isAwake && isLatching
    }

    var isIdleHigh: Bool { control(6) & 0x02 != 0 }

    var isInterruptActive: Bool {
        parts.isAwake && control(3) & 0x40 != 0 && control(6) & 0x02 == 0
    }
}
