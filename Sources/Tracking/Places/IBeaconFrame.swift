/// What an iBeacon says of itself.
///
/// The format is that of Apple's Proximity Beacon Specification: a manufacturer block of company 0x004C, type 0x02 and
/// length 0x15, with the numbers in network order.
package struct IBeaconFrame: Sendable, Hashable {
    /// Proximity UUID in lower case, with hyphens.
    package let uuid: String
    /// Major number.
    package let major: UInt16
    /// Minor number.
    package let minor: UInt16
    /// Signal strength in dBm that a phone sees at 1 m.
    package let measuredPower: Int8

    /// Finds the frame in an advertisement; nothing when it is that of something else, or damaged.
    package init?(advertisingData: [UInt8]) {
        for block in AdvertisingData(advertisingData) where block.type == Self.manufacturerBlock {
            guard block.data.count == Self.length, block.data.starts(with: Self.header) else { continue }
            self.init(Array(block.data.dropFirst(Self.header.count)))
            return
        }
        return nil
    }

    /// What was heard, at this signal strength in dBm; nothing when the controller did not measure it.
    ///
    /// 127 is what a controller says that cannot tell (Core Specification, LE Advertising Report), more than 20 is reserved, and
    /// 0 is how others write the unknown.
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
    /// The company in little-endian order, the type, and how much follows.
    private static let header: [UInt8] = [0x4C, 0x00, 0x02, 0x15]
    private static let length = 25

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        bytes.enumerated().map { index, byte in
            let digits = String(byte, radix: 16)
            return ([4, 6, 8, 10].contains(index) ? "-" : "") + (digits.count < 2 ? "0" : "") + digits
        }.joined()
    }
}
