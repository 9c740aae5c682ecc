package import Quantities

/// The driver of an accelerometer chip, without state or clock: it writes registers and decodes what the chip returns,
/// with as few transfers as the chip allows. An operation that throws may be incomplete; call it again to complete it.
/// The interrupt line is push-pull and active high; a board file can declare that the board inverts it.
package protocol Accelerometer: Sendable {
    /// The name in a board file, such as `LIS3DH`.
    var model: String { get }

    /// The usual address comes first.
    var addresses: [UInt8] { get }

    /// Throws if another chip answers.
    func identify(on bus: some RegisterBus) throws(ChipError)

    /// Resets the chip as far as it allows; the interrupt line is idle afterwards.
    func stream(on bus: some RegisterBus) throws(ChipError)

    func readSamples(on bus: some RegisterBus) throws(ChipError) -> SampleBatch

    /// Samples per second while streaming, at least 5.
    var rate: Double { get }

    /// The samples that the chip can store; they overflow after `depth / rate` seconds.
    var depth: Int { get }

    /// Lets the chip watch, without transfers, for a dynamic acceleration of at least `threshold`; once it detects one,
    /// its interrupt line stays active. However the chip is mounted, gravity does not count as motion, except perhaps
    /// once if the chip has not streamed for two seconds since power-on.
    func watch(above threshold: Acceleration, on bus: some RegisterBus) throws(ChipError)

    func isWatching(above threshold: Acceleration, on bus: some RegisterBus) throws(ChipError) -> Bool

    /// Call this only after `stream`, which sets a low idle level, and before `watch`. A change of the level shows,
    /// without motion, whether the wire connects the pin to the computer.
    func setIdleLevel(isHigh: Bool, on bus: some RegisterBus) throws(ChipError)

    /// Returns whether the chip has detected motion, and releases the interrupt line.
    func takeWake(on bus: some RegisterBus) throws(ChipError) -> Bool
}

package struct SampleBatch: Sendable, Hashable {
    /// The oldest first, `1 / rate` seconds apart; the last was measured just before the read.
    package var samples: [AccelerationSample]
    package var isOverrun: Bool

    package init(_ samples: [AccelerationSample], isOverrun: Bool = false) {
        self.samples = samples
        self.isOverrun = isOverrun
    }

    enum ByteOrder { case littleEndian, bigEndian }

    /// Reads three 16-bit numbers per sample; an incomplete sample at the end is dropped.
    init(raw bytes: [UInt8], _ order: ByteOrder, step: Acceleration, isOverrun: Bool = false) {
        let samples = stride(from: 0, to: bytes.count - bytes.count % 6, by: 6).map { start in
            func axis(_ index: Int) -> Double {
                let first = UInt16(bytes[start + 2 * index])
                let second = UInt16(bytes[start + 2 * index + 1])
                let bits = order == .littleEndian ? second << 8 | first : first << 8 | second
                return Double(Int16(bitPattern: bits)) * step.value
            }
            return AccelerationSample(x: axis(0), y: axis(1), z: axis(2))
        }
        self.init(samples, isOverrun: isOverrun)
    }
}
