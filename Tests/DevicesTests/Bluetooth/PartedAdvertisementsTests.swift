import Devices
import Testing

@Suite("Advertisements that come in parts")
final class PartedAdvertisementsTests {
    private var parts = PartedAdvertisements()

    /// Bits 5 and 6 of an extended report's type.
    private static let (whole, more, cutOff): (UInt8, UInt8, UInt8) = (0x00, 0x20, 0x40)

    @Test("are not read, down to the last part, which says that it is complete")
    func chain() throws {
        #expect(try !isWhole(Self.more))
        #expect(try !isWhole(Self.more))
        #expect(try !isWhole(Self.whole))
        #expect(try isWhole(Self.whole))
    }

    @Test("are not read when their end is lost, and the next is a new one")
    func lost() throws {
        #expect(try !isWhole(Self.more))
        #expect(try !isWhole(Self.cutOff))
        #expect(try isWhole(Self.whole))
    }

    @Test("do not keep others from being read")
    func others() throws {
        #expect(try !isWhole(Self.more, from: 1))
        #expect(try isWhole(Self.whole, from: 2))
        #expect(try !isWhole(Self.whole, from: 1))
    }

    @Test("never concern legacy advertising, which has no parts")
    func legacy() throws {
        #expect(try !isWhole(Self.more))
        #expect(try isWhole(0x13))
        #expect(try isWhole(HCISamples.pair))
    }

    @Test("are remembered of 16 advertisers at most, whoever begins however many")
    func many() throws {
        for advertiser in 0..<UInt8.max { #expect(try !isWhole(Self.more, from: advertiser)) }
        #expect(try !isWhole(Self.whole, from: 239))
        #expect(try isWhole(Self.whole, from: 238))
    }

    private func isWhole(_ type: UInt8, from advertiser: UInt8 = 1) throws -> Bool {
        try isWhole(HCISamples.extended(type: type, from: advertiser))
    }

    private func isWhole(_ packet: [UInt8]) throws -> Bool {
        parts.isWhole(try #require(HCIEvent(packet: packet)?.reports?.first))
    }
}
