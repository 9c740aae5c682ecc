package import Motion
import Quantities

/// What makes one kind of chip behave as it does: its registers, and what it measures into them.
///
/// It knows its addresses and bits by itself and shares no constant with the driver: the two were written from the
/// data sheet twice, and a slip in one of them shows.
package protocol FakeSilicon {
    /// What every kind has.
    var parts: FakeParts { get set }

    /// Which register holds the identity.
    static var identityRegister: UInt8 { get }

    /// Puts a byte into the register that the pointer names.
    mutating func write(_ byte: UInt8, at pointer: UInt8)

    /// Takes a byte out of the register that the pointer names.
    mutating func read(at pointer: UInt8) -> UInt8

    /// Where the pointer goes after this register.
    func pointer(after pointer: UInt8) -> UInt8

    /// A moment of its output rate has come: it measures the world, if it is switched on.
    mutating func measure()

    /// The level of its interrupt line, as seen behind its polarity bit: whether it is active.
    var isInterruptActive: Bool { get }
}

extension FakeSilicon {
    package func pointer(after pointer: UInt8) -> UInt8 { pointer &+ 1 }
}

/// What every kind of chip has.
package struct FakeParts {
    /// The registers, with what they hold after power-on.
    package var registers: FakeRegisters
    /// The FIFO, in bytes.
    package var fifo: FakeFIFO
    /// The acceleration that acts on the chip, measured or not.
    package var world = AccelerationSample(x: 0, y: 0, z: Acceleration.gravity.value)
    /// Whether nobody has read the newest measurement yet.
    package var isFresh = false
    /// What the wake comparison subtracts.
    package var reference = AccelerationSample.zero
    /// Whether the chip has felt motion, and has not been asked since.
    package var isAwake = false

    init(_ reset: [UInt8: UInt8], fifo capacity: Int = 0) {
        registers = FakeRegisters(reset)
        fifo = FakeFIFO(capacity: capacity)
    }

    /// Whether any axis of the vector is longer than so many thousandths of gravity.
    func exceeds(_ vector: AccelerationSample, milligravities limit: Double) -> Bool {
        let limit = limit / 1000 * Acceleration.gravity.value
        return vector.x.magnitude > limit || vector.y.magnitude > limit || vector.z.magnitude > limit
    }

    /// The world in whole digits of this size, no more than so many either way.
    func digits(milligravities digit: Double, limit: Int) -> [Int] {
        [world.x, world.y, world.z].map { axis in
            let digits = (axis / Acceleration.gravity.value * 1000 / digit).rounded()
            return Int(max(Double(-limit), min(Double(limit - 1), digits)))
        }
    }
}

/// 256 bytes.
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
    /// How many bytes it holds.
    let capacity: Int
    /// What is in it, the oldest first.
    private(set) var bytes: [UInt8] = []
    /// Whether something was lost since it was emptied or last asked.
    var isOverrun = false

    init(capacity: Int) { self.capacity = capacity }

    mutating func push(_ frame: [UInt8]) {
        bytes += frame
        guard bytes.count > capacity else { return }
        bytes.removeFirst(bytes.count - capacity)
        isOverrun = true
    }

    /// Takes the oldest byte; nothing when it is empty.
    mutating func pop() -> UInt8? { bytes.isEmpty ? nil : bytes.removeFirst() }

    /// Takes the oldest bytes away, as the end of a transfer does.
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
    /// The lowest 16 bits, the low byte first.
    var littleEndian16: [UInt8] { [UInt8(truncatingIfNeeded: self), UInt8(truncatingIfNeeded: self >> 8)] }

    /// The lowest 16 bits, the high byte first.
    var bigEndian16: [UInt8] { littleEndian16.reversed() }
}
