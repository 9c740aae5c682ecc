import TestSupport
import Testing

import Devices
import Tracking

@Suite("An iBeacon frame")
struct IBeaconFrameTests {
    /// The worked example of Apple's layout: flags, and then the manufacturer block.
    static let worked = bytes(
        "02 01 06 1A FF 4C 00 02 15 6D 1F 2A 90 4C 3E 4B 7A 9E 55 0A 1B 2C 3D 4E 5F 00 01 00 07 C5")

    /// Published captures of advertising data, and the meaning of each.
    ///
    /// The scan response of a beacon contains its name and UUID, but is not a frame. A Tilt hydrometer transmits its measurements
    /// as major and minor numbers.
    static let captured: [(name: String, data: String, frame: (String, UInt16, UInt16, Int8)?)] = [
        (
            "LightBlue Bean, without flags",
            "1A FF 4C 00 02 15 A4 95 DE AD C5 B1 4B 44 B5 12 13 70 F0 2D 74 DE 30 39 FF FF C5",
            ("a495dead-c5b1-4b44-b512-1370f02d74de", 12345, 65535, -59)
        ),
        (
            "Gimbal",
            "02 01 06 1A FF 4C 00 02 15 DA F2 46 CE 83 63 11 E4 B1 16 12 3B 93 F7 5C BA 00 00 00 01 C2",
            ("daf246ce-8363-11e4-b116-123b93f75cba", 0, 1, -62)
        ),
        (
            "Gimbal, another",
            "02 01 06 1A FF 4C 00 02 15 DA F2 46 CE 83 63 11 E4 B1 16 12 3B 93 F7 5C BA 00 00 00 01 C2",
            ("daf246ce-8363-11e4-b116-123b93f75cba", 0, 1, -62)
        ),
        (
            "scan response",
            "05 09 4C 69 67 74 11 06 DE 74 2D F0 70 13 12 B5 44 4B B1 C5 10 FF 95 A4 02 0A 04", nil
        ),
        (
            "Estimote",
            "02 01 06 1A FF 4C 00 02 15 B9 40 7F 30 F5 F8 46 6E AF F9 25 55 6B 57 FE 6D ED FC D4 16 B6",
            ("b9407f30-f5f8-466e-aff9-25556b57fe6d", 60924, 54294, -74)
        ),
        (
            "Raspberry Pi",
            "02 01 1A 1A FF 4C 00 02 15 E3 43 42 82 1C E5 48 ED AF F2 AE 8F 45 62 32 FC 00 00 00 00 D9",
            ("e3434282-1ce5-48ed-aff2-ae8f456232fc", 0, 0, -39)
        ),
        (
            "Tilt hydrometer",
            "02 01 04 1A FF 4C 00 02 15 A4 95 BB 30 C5 B1 4B 44 B5 12 13 70 F0 2D 74 DE 00 1E 03 F6 68",
            ("a495bb30-c5b1-4b44-b512-1370f02d74de", 30, 1014, 104)
        ),
        // A Handoff message of an Apple device: company 0x004C, but type 0x0C. From `snoop-files` of
        // <https://github.com/bertrandmartel/btsnoop-decoder>, Copyright (c) 2015-2016 Bertrand Martel, MIT License.
        (
            "Apple, not an iBeacon",
            "02 01 1A 13 FF 4C 00 0C 0E 00 F6 0F A7 EC 74 A0 C3 22 55 78 F5 B4 9A", nil
        ),
    ]

    @Test("A frame is read from an advertisement.")
    func example() throws {
        let frame = try #require(IBeaconFrame(advertisingData: Self.worked))
        #expect(frame.uuid == "6d1f2a90-4c3e-4b7a-9e55-0a1b2c3d4e5f")
        #expect(frame.major == 1)
        #expect(frame.minor == 7)
        #expect(frame.measuredPower == -59)
    }

    @Test("A frame is found in each captured advertisement that contains one.", arguments: captured.indices)
    func packets(index: Int) throws {
        let packet = Self.captured[index]
        let frame = IBeaconFrame(advertisingData: Self.bytes(packet.data))
        #expect(frame?.uuid == packet.frame?.0, "\(packet.name)")
        #expect(frame?.major == packet.frame?.1, "\(packet.name)")
        #expect(frame?.minor == packet.frame?.2, "\(packet.name)")
        #expect(frame?.measuredPower == packet.frame?.3, "\(packet.name)")
    }

    @Test("A frame is found after other blocks, including blocks of another company.")
    func behind() {
        let name = Self.bytes("05 09 4C 69 67 74 04 FF 59 00 01")
        #expect(IBeaconFrame(advertisingData: name + Self.worked)?.major == 1)
    }

    @Test(
        "A frame with a wrong fixed byte is refused.",
        arguments: [3: 0x19, 4: 0x16, 5: 0x4D, 6: 0x01, 7: 0x03, 8: 0x14].sorted { $0.key < $1.key })
    func wrong(offset: Int, byte: Int) {
        var data = Self.worked
        data[offset] = UInt8(byte)
        #expect(IBeaconFrame(advertisingData: data) == nil)
    }

    @Test("A truncated frame is refused.")
    func cutOff() {
        for length in Self.worked.indices {
            #expect(IBeaconFrame(advertisingData: Array(Self.worked.prefix(length))) == nil, "\(length) bytes")
        }
    }

    @Test("A frame in a longer block is refused.")
    func tooLong() {
        var data = Self.worked + [0x00]
        data[3] = 0x1B
        #expect(IBeaconFrame(advertisingData: data) == nil)
    }

    @Test("A block of length zero ends the data.")
    func emptyBlock() {
        #expect(IBeaconFrame(advertisingData: [0x00] + Self.worked) == nil)
    }

    @Test("Random bytes do not crash the parser.", arguments: 1...20)
    func noise(seed: Int) {
        var generator = SplitMix(seed: UInt64(seed))
        for _ in 0..<2000 {
            var data = (0..<Int(generator.next() % 64)).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            #expect(IBeaconFrame(advertisingData: data) == nil, "seed \(seed)")
            let total = AdvertisingData(data).reduce(0) { $0 + 2 + $1.data.count }
            #expect(total <= data.count, "seed \(seed)")
            // Parsers fail most often on nearly correct input.
            data = Self.worked
            for _ in 0...(generator.next() % 3) {
                let offset = Int(generator.next() % UInt64(data.count))
                data[offset] = UInt8(truncatingIfNeeded: generator.next())
            }
            let length = Int(generator.next() % UInt64(data.count))
            #expect(IBeaconFrame(advertisingData: Array(data.prefix(length))) == nil, "seed \(seed)")
        }
    }

    @Test(
        "A frame is a sighting if the controller has measured the signal.",
        arguments: [(-127, true), (-59, true), (-1, true), (20, true), (0, false), (21, false), (127, false)])
    func sighting(rssi: Int, isOne: Bool) throws {
        let frame = try #require(IBeaconFrame(advertisingData: Self.worked))
        let sighting = BeaconSighting(
            uuid: "6d1f2a90-4c3e-4b7a-9e55-0a1b2c3d4e5f", major: 1, minor: 7, rssi: Int8(rssi), measuredPower: -59)
        #expect(frame.sighting(rssi: Int8(rssi)) == (isOne ? sighting : nil))
    }

    private static func bytes(_ text: String) -> [UInt8] {
        text.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }
}
