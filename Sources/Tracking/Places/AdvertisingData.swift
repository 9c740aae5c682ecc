/// The blocks of a Bluetooth advertisement, in the order in which they were sent.
///
/// Each is a length, a type, and that much less one of data (Bluetooth Core Specification, volume 3, part C, chapter 11). All
/// of it comes over the air and nothing is believed: a length of zero ends the data early, as does one that reaches beyond it.
package struct AdvertisingData: Sequence, IteratorProtocol {
    /// One block.
    package struct Block: Sendable, Hashable {
        /// What the data means; assigned by the Bluetooth SIG.
        package let type: UInt8
        /// The data, a slice of what was received.
        package let data: ArraySlice<UInt8>
    }

    private var rest: ArraySlice<UInt8>

    /// Begins with the first block.
    package init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// The next block; nothing at the end, and where the data is not well formed.
    package mutating func next() -> Block? {
        guard let length = rest.first.map(Int.init), length > 0, length < rest.count else { return nil }
        let block = rest.dropFirst().prefix(length)
        rest = rest.dropFirst(1 + length)
        return block.first.map { Block(type: $0, data: block.dropFirst()) }
    }
}
