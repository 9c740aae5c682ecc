package import Tracking

/// Apple's Proximity Beacon Specification: a manufacturer block with company 0x004C, type 0x02 and length 0x15, numbers in
/// network order.
package struct IBeaconFrame: Sendable, Hashable {
    /// The UUID in lower case, with hyphens.
    package let uuid: String
    package let major: UInt16
    package let minor: UInt16
    /// The signal strength in dBm that a phone receives at 1 m.
    package let measuredPower: Int8

    /// Nil if the data contain no iBeacon frame, or a damaged one.
    package init?(advertisingData: [UInt8]) {
        for block in AdvertisingData(advertisingData) where block.type == Self.manufacturerBlock {
            guard block.data.count == Self.length, block.data.starts(with: Self.header) else { continue }
            self.init(Array(block.data.dropFirst(Self.header.count)))
            return
        }
        return nil
    }

    /// `rssi` is in dBm. Nil if the controller did not measure it: `rssi` is then 127 (Core Specification, LE
    /// Advertising Report), or 0 from some controllers. Values above 20 are reserved.
    package func sighting(rssi: Int8) -> BeaconSighting? {
        guard rssi != 0, rssi <= 20 else { return nil }
        return BeaconSighting(uuid: uuid, major: major, minor: minor, rssi: rssi, measuredPower: measuredPower)
    }

    private init(_ body: [UInt8]) {
        uuid = Self.text(body[..<16])
        major = UInt16(body[16]) << 8 | UInt16(body[17])
        minor = UInt16(body[18]) << 8 | UInt16(body[19])
        measuredPower = Int8(bitPattern: body[20])
    }

    private static let manufacturerBlock: UInt8 = 0xFF
    /// The company in little-endian order, the type, and the length of the rest.
    private static let header: [UInt8] = [0x4C, 0x00, 0x02, 0x15]
    private static let length = 25

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.enumerated().map { index, byte in
            let digits = String(byte, radix: 16)
            return ([4, 6, 8, 10].contains(index) ? "-" : "") + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }
}

/// A block is a length, a type, and data one byte shorter than the length (Bluetooth Core Specification, volume 3, part
/// C, chapter 11). The data come over the air: a length of zero, or one that reaches beyond the end, ends the sequence.
package struct AdvertisingData: Sequence, IteratorProtocol {
    package struct Block: Sendable, Hashable {
        /// Assigned by the Bluetooth SIG.
        package let type: UInt8
        package let data: ArraySlice<UInt8>
    }

    private var rest: ArraySlice<UInt8>

    package init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// Nil at the end, or if the next data are malformed.
    package mutating func next() -> Block? {
        guard let length = rest.first.map(Int.init), length > 0, length < rest.count else { return nil }
        let block = rest.dropFirst().prefix(length)
        rest = rest.dropFirst(1 + length)
        return block.first.map { Block(type: $0, data: block.dropFirst()) }
    }
}
