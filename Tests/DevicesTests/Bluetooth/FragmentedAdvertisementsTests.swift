import Devices
import Testing

@Suite("Fragmented advertisements")
final class FragmentedAdvertisementsTests {
    private var parts = FragmentedAdvertisements()

    /// The data status in bits 5 and 6 of an extended report's type.
    private static let (whole, more, cutOff): (UInt8, UInt8, UInt8) = (0x00, 0x20, 0x40)

    @Test("All fragments are dropped, including the last fragment, which is marked as complete.")
    func chain() throws {
        #expect(try !isWhole(Self.more))
        #expect(try !isWhole(Self.more))
        #expect(try !isWhole(Self.whole))
        #expect(try isWhole(Self.whole))
    }

    @Test("After a truncated advertisement, the next complete advertisement is read.")
    func lost() throws {
        #expect(try !isWhole(Self.more))
        #expect(try !isWhole(Self.cutOff))
        #expect(try isWhole(Self.whole))
    }

    @Test("The fragments of one advertiser do not affect another advertiser.")
    func others() throws {
        #expect(try !isWhole(Self.more, from: 1))
        #expect(try isWhole(Self.whole, from: 2))
        #expect(try !isWhole(Self.whole, from: 1))
    }

    @Test("Legacy advertisements are never fragments.")
    func legacy() throws {
        #expect(try !isWhole(Self.more))
        #expect(try isWhole(0x13))
        #expect(try isWhole(HCISamples.pair))
    }

    @Test("The fragments of at most 16 advertisers are remembered.")
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
