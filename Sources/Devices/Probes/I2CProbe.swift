import Glibc
package import Hardware
import Motion

package struct I2CProbe: BusProbe {
    package init() {}

    package func bus(of accelerometer: AccelerometerWiring) -> BusFacts {
        let path = accelerometer.bus
        guard access(path, F_OK) == 0 else { return .absent(others: others(than: path)) }
        do throws(BusError) {
            let answers = try BusScan(path).answers(at: BusScan.allAddresses)
            let isFound = answers.contains { $0.models.contains(accelerometer.model) }
            return .scanned(answers: answers, elsewhere: isFound ? [] : others(than: path))
        } catch {
            switch error.reason {
            case .forbidden: return .forbidden
            case .busy: return .failing("transfers do not end in time")
            case .gone: return .failing("it is not an I²C bus, or its adapter has disappeared")
            case .taken: return .failing("a kernel driver uses a chip")
            case .noAnswer: return .failing("no chip answers")
            case .other(let words): return .failing(words)
            }
        }
    }

    /// Returns the other buses with the answers at the addresses of accelerometers only, because an unknown chip may
    /// react to a transfer.
    private func others(than path: String) -> [BusFacts.Bus] {
        Pseudofile.numbers(after: "i2c-", in: "/dev").map { "/dev/i2c-\($0)" }.filter { $0 != path }.map { path in
            BusFacts.Bus(path, answers: (try? BusScan(path).answers(at: BusScan.accelerometerAddresses)) ?? [])
        }
    }
}

/// Writes nothing to registers. At the address of an accelerometer it reads only the identity register: a read at
/// the chip's current pointer could take a byte out of the FIFO, which a running daemon would miss, or release the
/// interrupt. A chip that a kernel driver uses is not accessed.
struct BusScan {
    /// All other addresses are reserved (I²C specification, table 4).
    static let allAddresses = Array(UInt8(0x08)...0x77)
    static let accelerometerAddresses = allAddresses.filter { !Accelerometers.candidates(at: $0).isEmpty }

    private let path: String
    /// The number of the bus in `/sys`.
    private let number: Substring

    init(_ path: String) {
        self.path = path
        let target = Pseudofile.target(of: path)
        number = (target.isEmpty ? path : target)[...].split(separator: "-").last ?? ""
    }

    /// Throws if the bus itself does not work.
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
            return try retrying { () throws(BusError) in try bus.isAnswered() } ? BusFacts.Answer(address) : nil
        }
        var answer = BusFacts.Answer(address)
        for chip in candidates {
            switch try retrying({ () throws(BusError) in try ask(chip, on: bus) }) {
            case .none: return nil
            case .other: break
            case .match: answer.models.append(chip.model)
            }
        }
        return answer
    }

    /// Other programs may use the bus too.
    private func retrying<Result>(_ act: () throws(BusError) -> Result) throws(BusError) -> Result {
        do throws(BusError) {
            return try act()
        } catch {
            guard error.reason == .busy else { throw error }
            return try act()
        }
    }

    private enum Reply { case none, other, match }

    private func ask(_ chip: any Accelerometer, on bus: I2CBus) throws(BusError) -> Reply {
        do throws(ChipError) {
            try chip.identify(on: bus)
            return .match
        } catch {
            switch error {
            case .foreign: return .other
            case .bus(let error) where error.reason == .noAnswer: return .none
            case .bus(let error): throw error
            }
        }
    }

    /// The kernel driver that uses the address, such as `st-accel-i2c`.
    private func driver(at address: UInt8) -> String? {
        let digits = String(address, radix: 16)
        let chip = "\(number)-00\(digits.count < 2 ? "0" : "")\(digits)"
        return Pseudofile.target(of: "/sys/bus/i2c/devices/\(chip)/driver").split(separator: "/").last.map(String.init)
    }
}
