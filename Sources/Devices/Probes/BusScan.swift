import Hardware
import Motion

/// A walk over the addresses of a bus, which only reads.
///
/// Where an accelerometer may be, its identity register is read and nothing else: a byte from wherever the chip's pointer
/// stands could be one of its FIFO, which a running daemon would miss, or let go of its interrupt. A chip that a driver of
/// the kernel has is left alone.
struct BusScan {
    /// The addresses that devices may have; the rest is reserved (I²C specification, table 4).
    static let allAddresses = Array(UInt8(0x08)...0x77)
    /// Those at which an accelerometer may answer.
    static let accelerometerAddresses = allAddresses.filter { !Accelerometers.candidates(at: $0).isEmpty }

    private let path: String
    /// The number of the bus, as `/sys` has it.
    private let number: Substring

    init(_ path: String) {
        self.path = path
        let target = Pseudofile.target(of: path)
        number = (target.isEmpty ? path : target)[...].split(separator: "-").last ?? ""
    }

    /// Who answers; throws when the bus itself is at fault.
    func answers(at addresses: [UInt8]) throws(BusError) -> [BusFacts.Answer] {
        var answers: [BusFacts.Answer] = []
        for address in addresses {
            if let answer = try answer(at: address) { answers.append(answer) }
        }
        return answers
    }

    private func answer(at address: UInt8) throws(BusError) -> BusFacts.Answer? {
        if let driver = driver(at: address) { return BusFacts.Answer(address, driver: driver) }
        let bus = I2CBus(path: path, address: address)
        let candidates = Accelerometers.candidates(at: address)
        guard !candidates.isEmpty else {
            return try again { () throws(BusError) in try bus.isAnswered() } ? BusFacts.Answer(address) : nil
        }
        var answer = BusFacts.Answer(address)
        for chip in candidates {
            switch try again({ () throws(BusError) in try ask(chip, on: bus) }) {
            case .nobody: return nil
            case .stranger: break
            case .itself: answer.models.append(chip.model)
            }
        }
        return answer
    }

    /// A bus may be busy once with what others say on it.
    private func again<Result>(_ act: () throws(BusError) -> Result) throws(BusError) -> Result {
        do throws(BusError) {
            return try act()
        } catch {
            guard error.cause == .busy else { throw error }
            return try act()
        }
    }

    private enum Reply { case nobody, stranger, itself }

    private func ask(_ chip: any Accelerometer, on bus: I2CBus) throws(BusError) -> Reply {
        do throws(ChipError) {
            try chip.identify(on: bus)
            return .itself
        } catch {
            switch error {
            case .foreign: return .stranger
            case .bus(let error) where error.cause == .noAnswer: return .nobody
            case .bus(let error): throw error
            }
        }
    }

    /// The driver of the kernel that has the chip at this address, such as `st-accel-i2c`.
    private func driver(at address: UInt8) -> String? {
        let digits = String(address, radix: 16)
        let chip = "\(number)-00\(digits.count < 2 ? "0" : "")\(digits)"
        return Pseudofile.target(of: "/sys/bus/i2c/devices/\(chip)/driver").split(separator: "/").last.map(String.init)
    }
}
