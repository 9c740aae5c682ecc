import Motion

/// An MPU-6050, MPU-6500 or MPU-9250; the identity shows whether the chip is an MPU-6050.
struct FakeMPU6050: FakeSilicon {
    static let identityRegister: UInt8 = 0x75
    var parts: FakeParts

    private let isFirst: Bool

    init(identity: UInt8, fifo capacity: Int) {
        parts = FakeParts([0x75: identity, 0x6B: identity == 0x68 ? 0x40 : 0x01], fifo: capacity)
        isFirst = identity == 0x68
    }

    private var isAsleep: Bool { parts.registers[0x6B] & 0x40 != 0 }
    private var isCycling: Bool { parts.registers[0x6B] & 0x20 != 0 }
    private var isCollecting: Bool {
        parts.registers[0x6A] & 0x40 != 0 && parts.registers[0x23] & 0x08 != 0 && !isCycling
    }
    private var isFast: Bool { parts.registers[0x19] <= 7 }

    func pointer(after pointer: UInt8) -> UInt8 {
        pointer == 0x74 ? pointer : pointer &+ 1
    }

    mutating func write(_ byte: UInt8, at pointer: UInt8) {
        guard pointer != 0x75, pointer != 0x3A, !(0x3B...0x48).contains(pointer) else { return }
        // While the chip sleeps, a driver can write only the power registers.
        guard !isAsleep || pointer == 0x6B || pointer == 0x6C else { return }
        parts.registers[pointer] = byte
        if pointer == 0x6A, byte & 0x04 != 0 {
            parts.fifo.clear()
            parts.registers[0x6A] &= ~0x04
        }
    }

    mutating func read(at pointer: UInt8) -> UInt8 {
        switch pointer {
        case 0x3A:
            defer { parts.isAwake = false }
            return parts.isAwake ? 0x40 : 0x00
        case 0x72:
            // At 1 kHz, the next sample is ready before the next read.
            if isFast, !isAsleep { measure() }
            return UInt8(parts.fifo.bytes.count >> 8)
        case 0x73:
            return UInt8(parts.fifo.bytes.count & 0xFF)
        case 0x74:
            return parts.fifo.pop() ?? 0xFF
        default:
            return parts.registers[pointer]
        }
    }

    mutating func measure() {
        guard !isAsleep, parts.registers[0x6C] & 0x38 == 0 else { return }
        if isCollecting {
            let digits = parts.digits(
                milligravities: Double(2000 << (parts.registers[0x1C] >> 3 & 0x03)) / 32768, limit: 32768)
            parts.fifo.push(digits.flatMap(\.bigEndian16))
        }
        if isFirst { compareWithLocked() } else { compareWithPrevious() }
    }

    /// Compares the output of the MPU-6050's high-pass filter with the threshold.
    ///
    /// In reset mode, the filter outputs zero and follows the input. In hold mode, the filter outputs the difference between the
    /// input and the last input of the reset mode.
    private mutating func compareWithLocked() {
        switch parts.registers[0x1C] & 0x07 {
        case 0: parts.reference = parts.world
        case 7: feel(above: 32)
        default: break
        }
    }

    private mutating func compareWithPrevious() {
        if parts.registers[0x69] & 0xC0 == 0xC0, isCycling { feel(above: 4) }
        parts.reference = parts.world
    }

    private mutating func feel(above step: Double) {
        let limit = Double(parts.registers[0x1F]) * step
        if parts.exceeds(parts.world - parts.reference, milligravities: limit) { parts.isAwake = true }
    }

    var isIdleHigh: Bool { parts.registers[0x37] & 0x80 != 0 }

    var isInterruptActive: Bool {
        // The interrupt is enabled, latched, push-pull and active high.
        parts.isAwake && parts.registers[0x38] & 0x40 != 0 && parts.registers[0x37] & 0xE0 == 0x20
    }
}
