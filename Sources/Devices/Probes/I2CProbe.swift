import Glibc
package import Hardware
import Motion

/// Looks which chips answer on the buses of this computer.
package struct I2CProbe: BusProbe {
    /// Makes a probe.
    package init() {}

    package func bus(of accelerometer: AccelerometerWiring) -> BusFacts {
        let path = accelerometer.bus
        guard access(path, F_OK) == 0 else { return .absent(others: others(than: path)) }
        do throws(BusError) {
            let answers = try BusScan(path).answers(at: BusScan.allAddresses)
            let isFound = answers.contains { $0.models.contains(accelerometer.model) }
            return .scanned(answers: answers, elsewhere: isFound ? [] : others(than: path))
        } catch {
            switch error.cause {
            case .forbidden: return .forbidden
            case .busy: return .failing("transfers do not end in time")
            case .gone: return .failing("it is no I²C bus, or its adapter is gone")
            case .taken: return .failing("a driver of the kernel has a chip")
            case .noAnswer: return .failing("nobody answers")
            case .other(let words): return .failing(words)
            }
        }
    }

    /// The other buses, on which only the addresses of accelerometers are asked: whose they are, we do not know.
    private func others(than path: String) -> [BusFacts.Bus] {
        Pseudofile.numbers(after: "i2c-", in: "/dev").map { "/dev/i2c-\($0)" }.filter { $0 != path }.map { path in
            BusFacts.Bus(path, answers: (try? BusScan(path).answers(at: BusScan.accelerometerAddresses)) ?? [])
        }
    }
}
