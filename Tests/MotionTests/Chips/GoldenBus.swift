import Motion

/// A bus that gives scripted answers and records all transfers.
///
/// `20 = 37` writes a byte to a register, `28 ? 6` reads six bytes. All numbers except the count are hexadecimal.
final class GoldenBus: RegisterBus {
    private(set) var log: [String] = []
    private let answers: [UInt8: [UInt8]]

    init(_ answers: [UInt8: [UInt8]] = [:]) { self.answers = answers }

    func read(_ register: UInt8, count: Int) throws(BusError) -> [UInt8] {
        log.append("\(hexadecimal(register)) ? \(count)")
        let answer = answers[register] ?? []
        return (0..<count).map { $0 < answer.count ? answer[$0] : 0 }
    }

    func write(_ bytes: [UInt8], to register: UInt8) throws(BusError) {
        log.append("\(hexadecimal(register)) = \(bytes.map(hexadecimal).joined(separator: " "))")
    }

    private func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count < 2 ? "0" + digits : digits
    }
}

extension AccelerationSample {
    /// The vector is in multiples of gravity; on each axis the error is less than 0.01 m/s², a thousandth of gravity.
    func isNear(_ x: Double, _ y: Double, _ z: Double) -> Bool {
        zip([self.x, self.y, self.z], [x, y, z]).allSatisfy { ($0 - $1 * 9.80665).magnitude < 0.01 }
    }
}
