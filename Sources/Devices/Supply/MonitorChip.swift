import Motion
import Quantities

/// The numbers are from the data sheets SBOS448G (INA219) and SBOS547 (INA226).
struct MonitorChip: Sendable, Hashable {
    let name: String
    /// Starts one measurement, after which the chip sleeps; nil if the chip is not supported.
    let once: [UInt8]?
    /// Volts per bit.
    private let step: Double
    /// The number of bits below the bus voltage in its register.
    private let shift: Int

    static let configuration: UInt8 = 0x00
    private static let busVoltage: UInt8 = 0x02
    private static let manufacturer: UInt8 = 0xFE
    private static let die: UInt8 = 0xFF

    /// 32 V range, 12 bits (INA219, section 8.6.2.1).
    static let ina219 = MonitorChip(name: "an INA219", once: [0x21, 0x9A], step: 0.004, shift: 3)
    /// One conversion of 1.1 ms (INA226, section 7.6.1).
    private static let ina226 = MonitorChip(name: "an INA226", once: [0x41, 0x22], step: 0.001_25, shift: 0)

    /// The INA219 has no identity, so every chip without TI's manufacturer number counts as one.
    static func identify(on bus: any RegisterBus) throws(BusError) -> MonitorChip {
        guard try word(manufacturer, on: bus) == 0x5449 else { return ina219 }
        let die = try word(die, on: bus)
        switch die {
        case 0x2260...0x226F: return ina226
        case 0x3220: return MonitorChip(name: "an INA3221", once: nil, step: 0, shift: 0)
        default:
            let digits = String(die, radix: 16)
            return MonitorChip(name: "a chip with the die identity 0x\(digits)", once: nil, step: 0, shift: 0)
        }
    }

    func voltage(on bus: any RegisterBus) throws(BusError) -> Volts {
        Volts(Double(try Self.word(Self.busVoltage, on: bus) >> shift) * step)
    }

    private static func word(_ register: UInt8, on bus: any RegisterBus) throws(BusError) -> Int {
        try bus.read(register, count: 2).reduce(0) { $0 << 8 | Int($1) }
    }
}
