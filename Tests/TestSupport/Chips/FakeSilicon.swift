package import Motion
import Quantities

/// A fake shares no constant with its driver. Both follow the data sheet independently, so tests find a mistake in either.
package protocol FakeSilicon {
    var parts: FakeParts { get set }

    static var identityRegister: UInt8 { get }

    mutating func write(_ byte: UInt8, at pointer: UInt8)

    mutating func read(at pointer: UInt8) -> UInt8

    func pointer(after pointer: UInt8) -> UInt8

    /// Measures once if the chip is switched on; each call is one period of the output data rate.
    mutating func measure()

    /// Also false if the registers do not route the interrupt to the chip's connected output, or make the output active low.
    var isInterruptActive: Bool { get }

    /// Whether the registers select the polarity active low.
    var isIdleHigh: Bool { get }
}

extension FakeSilicon {
    package func pointer(after pointer: UInt8) -> UInt8 { pointer &+ 1 }
}

package struct FakeParts {
    /// The registers, at first with their power-on values.
    package var registers: FakeRegisters
    package var fifo: FakeFIFO
    /// The acceleration that acts on the chip, whether the chip measures it or not.
    package var world = AccelerationSample(x: 0, y: 0, z: Acceleration.gravity.value)
    package var isFresh = false
    /// The reference of the wake comparison.
    package var reference = AccelerationSample.zero
    package var isAwake = false

    init(_ reset: [UInt8: UInt8], fifo capacity: Int = 0) {
        registers = FakeRegisters(reset)
        fifo = FakeFIFO(capacity: capacity)
    }

    /// Returns whether the vector exceeds the limit on any axis, in either direction.
    func exceeds(_ vector: AccelerationSample, milligravities limit: Double) -> Bool {
        let limit = limit / 1000 * Acceleration.gravity.value
        return vector.x.magnitude > limit || vector.y.magnitude > limit || vector.z.magnitude > limit
    }

    /// Returns x, y and z of the acceleration in digits of this size, clamped to `-limit..<limit`.
    func digits(milligravities digit: Double, limit: Int) -> [Int] {
        [world.x, world.y, world.z].map { axis in
            let digits = (axis / Acceleration.gravity.value * 1000 / digit).rounded()
            return Int(max(Double(-limit), min(Double(limit - 1), digits)))
        }
    }
}

package struct FakeRegisters {
    private var bytes = [UInt8](repeating: 0, count: 256)

    init(_ reset: [UInt8: UInt8]) {
        for register in reset.keys.sorted() { bytes[Int(register)] = reset[register] ?? 0 }
    }

    package subscript(register: UInt8) -> UInt8 {
        get { bytes[Int(register)] }
        set { bytes[Int(register)] = newValue }
    }
}

/// A FIFO that overwrites its oldest bytes.
package struct FakeFIFO {
    /// The capacity in bytes.
    let capacity: Int
    /// The bytes, the oldest first.
    private(set) var bytes: [UInt8] = []
    /// Whether the FIFO has lost bytes; `clear` and `drop` reset this flag, `pop` does not.
    var isOverrun = false

    init(capacity: Int) { self.capacity = capacity }

    mutating func push(_ frame: [UInt8]) {
        bytes += frame
        guard bytes.count > capacity else { return }
        bytes.removeFirst(bytes.count - capacity)
        isOverrun = true
    }

    mutating func pop() -> UInt8? { bytes.isEmpty ? nil : bytes.removeFirst() }

    /// Removes the oldest bytes, as the chip does after a driver has read the last byte of a sample.
    mutating func drop(_ count: Int) {
        bytes.removeFirst(min(count, bytes.count))
        isOverrun = false
    }

    mutating func clear() {
        bytes = []
        isOverrun = false
    }
}

extension Int {
    var littleEndian16: [UInt8] { [UInt8(truncatingIfNeeded: self), UInt8(truncatingIfNeeded: self >> 8)] }

    var bigEndian16: [UInt8] { littleEndian16.reversed() }
}
