import Motion

struct FakeBMI160: FakeSilicon {
    static let identityRegister: UInt8 = 0x00
    var parts = FakeParts(
        [0x00: 0xD1, 0x40: 0x28, 0x41: 0x03, 0x45: 0x88, 0x47: 0x10, 0x60: 0x14, 0x62: 0x24], fifo: 170 * 6)

    /// The power mode, with the values of PMU_STATUS: 0 suspended, 1 normal, 2 low power.
    private var power: UInt8 = 0
    /// The requested power mode, and the number of status reads until the chip reaches it.
    private var coming: (power: UInt8, reads: Int)?
    /// The number of consecutive samples whose slope exceeds the threshold.
    private var steep = 0

    func pointer(after pointer: UInt8) -> UInt8 { pointer == 0x24 ? pointer : pointer &+ 1 }

    mutating func write(_ byte: UInt8, at pointer: UInt8) {
        if pointer == 0x7E { return obey(byte) }
        // While the real chip sleeps, it ignores writes that follow each other too fast; this fake then ignores every write.
        guard power == 1, pointer >= 0x40 else { return }
        parts.registers[pointer] = byte
    }

    private mutating func obey(_ command: UInt8) {
        switch command {
        case 0x10...0x12:
            let asked = command & 0x03
            // The chip needs time to wake up, but suspends at once.
            if asked == 1, power != 1 { coming = (asked, 3) } else { (power, coming) = (asked, nil) }
        case 0xB0:
            parts.fifo.clear()
        case 0xB1:
            parts.isAwake = false
        default:
            break
        }
    }

    mutating func read(at pointer: UInt8) -> UInt8 {
        switch pointer {
        case 0x03:
            if let next = coming {
                coming = (next.power, next.reads - 1)
                if next.reads == 1 { (power, coming) = (next.power, nil) }
            }
            return power << 4
        case 0x1C:
            return parts.isAwake ? 0x04 : 0
        case 0x22:
            return UInt8(parts.fifo.bytes.count & 0xFF)
        case 0x23:
            return UInt8(parts.fifo.bytes.count >> 8)
        case 0x24:
            return parts.fifo.pop() ?? 0x80
        default:
            return parts.registers[pointer]
        }
    }

    private var range: Double {
        switch parts.registers[0x41] & 0x0F {
        case 0x05: 4
        case 0x08: 8
        case 0x0C: 16
        default: 2
        }
    }

    mutating func measure() {
        guard power != 0 else { return }
        // The fake's FIFO collects only in normal mode, and only accelerometer data without headers.
        if power == 1, parts.registers[0x47] & 0xF0 == 0x40 {
            parts.fifo.push(
                parts.digits(milligravities: range * 1000 / 32768, limit: 32768).flatMap(\.littleEndian16))
        }
        compare()
    }

    private mutating func compare() {
        let digits = parts.world * (1 / range)
        let slope = (digits - parts.reference) * range
        parts.reference = digits
        let limit = Double(parts.registers[0x60]) * range * 1000 / 512
        steep = parts.exceeds(slope, milligravities: limit) ? steep + 1 : 0
        guard parts.registers[0x50] & 0x07 == 0x07, parts.registers[0x62] & 0x02 == 0 else { return }
        let isFelt = steep > Int(parts.registers[0x5F] & 0x03)
        let isLatching = parts.registers[0x54] & 0x0F == 0x0F
        parts.isAwake = isFelt || parts.isAwake && isLatching
    }

    var isIdleHigh: Bool { parts.registers[0x53] & 0x0A == 0x08 }

    var isInterruptActive: Bool {
        // The chip routes the interrupt to INT1, and this output is on, push-pull and active high.
        parts.isAwake && parts.registers[0x55] & 0x04 != 0 && parts.registers[0x53] & 0x0E == 0x0A
    }
}
