package import Quantities

/// An accelerometer chip: what to write so that it does something, and how to read what it says.
///
/// Without state of its own and without time: whoever owns it decides when. Every operation goes over the bus that is
/// handed in, in as few transfers as the chip allows, and leaves the chip in a known state when it succeeds. One that
/// throws may have done a part; calling it again mends that.
///
/// Every driver sets the interrupt line to push-pull and active high; a board file may say that the board inverts it.
package protocol Accelerometer: Sendable {
    /// What the chip is called in a board file, such as `LIS3DH`.
    var model: String { get }

    /// The addresses on which it may answer, the usual one first.
    var addresses: [UInt8] { get }

    /// Reads the identity; throws when another chip answers.
    func identify(on bus: some RegisterBus) throws(ChipError)

    /// Resets it as far as the chip can, and begins to collect samples in its FIFO; afterwards the interrupt line is
    /// idle.
    func stream(on bus: some RegisterBus) throws(ChipError)

    /// Takes what has been collected since the last time.
    func readSamples(on bus: some RegisterBus) throws(ChipError) -> SampleBatch

    /// Samples a second while it streams: what it really does, 5 or more.
    var rate: Double { get }

    /// How many samples it keeps while nobody reads: whoever comes later than `depth / rate` loses some.
    var depth: Int { get }

    /// Lets the chip watch by itself for a dynamic acceleration of at least `threshold`, and hold its interrupt line
    /// active from then on; without any transfer meanwhile.
    ///
    /// Gravity does not count, however the chip is mounted; but one that has not streamed for two seconds since it was
    /// switched on may feel it, once.
    func watch(above threshold: Acceleration, on bus: some RegisterBus) throws(ChipError)

    /// Whether it has felt motion since `watch`; asking lets the interrupt line go.
    func takeWake(on bus: some RegisterBus) throws(ChipError) -> Bool
}

/// What came out of a FIFO.
package struct SampleBatch: Sendable, Hashable {
    /// The samples, the oldest first, `1 / rate` apart; the last one is new.
    package var samples: [AccelerationSample]
    /// Whether older ones were lost, because nobody came in time.
    package var isOverrun: Bool

    /// Makes a batch.
    package init(_ samples: [AccelerationSample], isOverrun: Bool = false) {
        self.samples = samples
        self.isOverrun = isOverrun
    }
}

/// A chip did not do what was asked of it.
package enum ChipError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The transfer did not happen.
    case bus(BusError)
    /// Another chip answers, or a clone: what its identity register should hold, and what it holds.
    case foreign(model: String, expected: [UInt8], found: UInt8)

    /// What happened and what to do.
    package var description: String {
        switch self {
        case .bus(let error): error.description
        case .foreign(let model, let expected, let found):
            """
            the chip is no \(model): its identity is \(Self.hexadecimal(found)), not \
            \(expected.map(Self.hexadecimal).joined(separator: " or ")). Run `trackerd doctor` to see which chip it is.
            """
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return "0x" + (digits.count < 2 ? "0" : "") + digits
    }
}
