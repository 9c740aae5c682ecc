package import Quantities

/// The driver of an accelerometer chip; it writes the registers for each operation, and decodes the bytes that the chip
/// returns.
///
/// A driver has no state and no clock; the caller decides when to call it. Every operation uses the given bus, with as
/// few transfers as the chip allows. After an operation succeeds, the chip is in a known state. If an operation throws,
/// it may be incomplete; call the operation again to complete it.
///
/// Every driver sets the interrupt line to push-pull and active high; a board file can declare that the board inverts the line.
package protocol Accelerometer: Sendable {
    /// In a board file, such as `LIS3DH`.
    var model: String { get }

    /// The usual one first.
    var addresses: [UInt8] { get }

    /// Throws if another chip answers.
    func identify(on bus: some RegisterBus) throws(ChipError)

    /// Resets the chip as far as it allows; the interrupt line is idle afterwards.
    func stream(on bus: some RegisterBus) throws(ChipError)

    func readSamples(on bus: some RegisterBus) throws(ChipError) -> SampleBatch

    /// True samples per second while streaming, 5 or more.
    var rate: Double { get }

    /// In samples; it overflows after `depth / rate` seconds.
    var depth: Int { get }

    /// Makes the chip watch for a dynamic acceleration of at least `threshold`.
    ///
    /// Once the chip detects such an acceleration, it keeps its interrupt line active. The watch needs no transfers.
    ///
    /// The chip does not report gravity as motion, however it is mounted. There is one exception: if the chip has not
    /// streamed for two seconds since power-on, it may report gravity as motion once.
    func watch(above threshold: Acceleration, on bus: some RegisterBus) throws(ChipError)

    func isWatching(above threshold: Acceleration, on bus: some RegisterBus) throws(ChipError) -> Bool

    /// Low unless `isHigh`; only after `stream`, and until `watch`. The change shows without motion whether the wire connects
    /// the pin to the computer.
    func setIdleLevel(isHigh: Bool, on bus: some RegisterBus) throws(ChipError)

    /// Also releases the interrupt line.
    func takeWake(on bus: some RegisterBus) throws(ChipError) -> Bool
}

package struct SampleBatch: Sendable, Hashable {
    /// The oldest first, `1 / rate` apart; the last was measured just before the read.
    package var samples: [AccelerationSample]
    package var isOverrun: Bool

    package init(_ samples: [AccelerationSample], isOverrun: Bool = false) {
        self.samples = samples
        self.isOverrun = isOverrun
    }

    enum ByteOrder { case littleEndian, bigEndian }

    /// Three 16-bit numbers a sample; an incomplete one at the end is dropped.
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
