import Devices
import Testing

@Suite("A UBX message")
struct UBXMessageTests {
    @Test("A UBX message has the checksum of u-blox's protocol description.", arguments: published)
    func checksum(classNumber: UInt8, number: UInt8, contents: [UInt8], bytes: [UInt8]) {
        #expect(UBXMessage(classNumber, number, contents).bytes == bytes)
    }

    /// The class, the ID, the payload and the complete message, from published documents.
    static let published: [(UInt8, UInt8, [UInt8], [UInt8])] = [
        (0x06, 0x01, [], [0xB5, 0x62, 0x06, 0x01, 0x00, 0x00, 0x07, 0x1B]),
        (0x0A, 0x04, [], [0xB5, 0x62, 0x0A, 0x04, 0x00, 0x00, 0x0E, 0x34]),
        (
            0x02, 0x41, [0, 0, 0, 0, 2, 0, 0, 0],
            [0xB5, 0x62, 0x02, 0x41, 0x08, 0x00, 0, 0, 0, 0, 0x02, 0, 0, 0, 0x4D, 0x3B]
        ),
    ]

    @Test("The standby message requests a forced backup mode that lasts until an edge on the receiver's input.")
    func standby() {
        #expect(UBXMessage.standby.hexadecimal == "b5620241100000000000000000000600000008000000616b")
    }

    @Test("The reset message resets the receiver at once by its watchdog, and keeps the receiver's data.")
    func reset() {
        #expect(UBXMessage.reset.hexadecimal == "b56206040400000000000e64")
    }
}
