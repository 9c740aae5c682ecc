import Motion

struct FakeMMA8452Q: FakeSilicon {
    static let identityRegister: UInt8 = 0x0D
    var parts = FakeParts([0x0D: 0x2A])

    private var isOverwritten = false
    private var sample: [UInt8] = [0, 0, 0, 0, 0, 0]
    /// The debounce counter, in steps of 20 ms.
    private var counter = 0
    private var isActive: Bool { parts.registers[0x2A] & 0x01 != 0 }

    /// The weight of one step in the high-pass filter, by SEL: cut-off at 2, 1, 0.5 and 0.25 Hz.
    private static let shares = [0.222, 0.118, 0.061, 0.031]
    /// The number of steps that the filter and the counter make per sample at 12.5 Hz.
    private static let stepsASample = 4

    mutating func write(_ byte: UInt8, at pointer: UInt8) {
        guard pointer >= 0x0E, pointer != 0x1E else { return }
        // In active mode, a driver can change only the ACTIVE bit, the threshold and the counter's settings. A write to
        // the threshold or to the counter's settings resets the counter.
        switch pointer {
        case 0x2A where isActive:
            parts.registers[0x2A] = parts.registers[0x2A] & 0xFE | byte & 0x01
            return
        case 0x1F, 0x20:
            counter = 0
        default:
            if isActive { return }
        }
        parts.registers[pointer] = byte
        guard pointer == 0x2A, byte & 0x01 != 0 else { return }
        // The filter starts at zero.
        parts.reference = .zero
        counter = 0
    }

    mutating func read(at pointer: UInt8) -> UInt8 {
        switch pointer {
        case 0x00:
            return (parts.isFresh ? 0x0F : 0) | (isOverwritten ? 0xF0 : 0)
        case 0x01...0x06:
            if pointer == 0x06 { (parts.isFresh, isOverwritten) = (false, false) }
            return sample[Int(pointer - 0x01)]
        case 0x1E:
            defer { parts.isAwake = false }
            return parts.isAwake ? 0x40 : 0
        default:
            return parts.registers[pointer]
        }
    }

    mutating func measure() {
        guard isActive else { return }
        isOverwritten = parts.isFresh
        parts.isFresh = true
        let digit = 1000.0 / Double(1024 >> (parts.registers[0x0E] & 0x03))
        sample = parts.digits(milligravities: digit, limit: 2048).flatMap { ($0 << 4).bigEndian16 }
        for _ in 0..<Self.stepsASample { compare() }
    }

    private mutating func compare() {
        let dynamic = parts.world - parts.reference
        parts.reference = parts.reference + dynamic * Self.shares[Int(parts.registers[0x0F] & 0x03)]
        let control = parts.registers[0x1D]
        guard control & 0x0E == 0x0E else { return }
        let felt = control & 0x01 == 0 ? dynamic : parts.world
        let isFelt = parts.exceeds(felt, milligravities: Double(parts.registers[0x1F] & 0x7F) * 63)
        let isClearing = parts.registers[0x1F] & 0x80 != 0
        let least = Int(parts.registers[0x20])
        counter = isFelt ? min(counter + 1, least + 1) : isClearing ? 0 : max(0, counter - 1)
        let isLong = counter > least
        let isLatching = control & 0x10 != 0
        parts.isAwake = isLong || parts.isAwake && isLatching
    }

    var isIdleHigh: Bool { parts.registers[0x2C] & 0x02 == 0 }

    var isInterruptActive: Bool {
        // The interrupt is enabled, and the chip routes it to INT1, which is active high.
        parts.isAwake && parts.registers[0x2E] & 0x20 != 0 && parts.registers[0x2D] & 0x20 != 0
            && parts.registers[0x2C] & 0x02 != 0
    }
}
