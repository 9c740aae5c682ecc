enum HCISamples {
    /// Reads hexadecimal numbers separated by spaces.
    static func bytes(_ text: String) -> [UInt8] { text.split(separator: " ").compactMap { UInt8($0, radix: 16) } }

    static let beaconData = bytes(
        "02 01 06 1A FF 4C 00 02 15 6D 1F 2A 90 4C 3E 4B 7A 9E 55 0A 1B 2C 3D 4E 5F 00 01 00 07 C5")
    static let beaconUUID = "6d1f2a90-4c3e-4b7a-9e55-0a1b2c3d4e5f"

    /// Returns an extended report of this beacon at −67 dBm.
    ///
    /// Bits 5 and 6 of `type` are the data status; `advertiser` is the lowest byte of the advertiser's address.
    static func extended(type: UInt8 = 0x00, from advertiser: UInt8 = 1, data: [UInt8] = beaconData) -> [UInt8] {
        let report: [UInt8] =
            [type, 0x00, 0x01, advertiser, 0x00, 0x01, 0x00, 0xBE, 0xC0, 0x01, 0x00, 0x03, 0x7F, 0xBD]
            + [0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, UInt8(data.count)] + data
        return [0x04, 0x3E, UInt8(report.count + 2), 0x0D, 0x01] + report
    }

    /// Published hcidump captures of single events, each with one report.
    static let captured: [(name: String, packet: String, rssi: Int8, length: Int)] = [
        (
            "LightBlue Bean",
            "04 3E 27 02 01 00 00 58 C1 C9 72 39 D0 1B 1A FF 4C 00 02 15 A4 95 DE AD C5 B1 4B 44 B5 12 13 70 F0 2D 74 DE 30 39 "
                + "FF FF C5 BC", -68, 27
        ),
        (
            "Gimbal",
            "04 3E 2A 02 01 03 01 26 9B 29 DE 99 2A 1E 02 01 06 1A FF 4C 00 02 15 DA F2 46 CE 83 63 11 E4 B1 16 12 3B 93 F7 5C "
                + "BA 00 00 00 01 C2 C5", -59, 30
        ),
        (
            "scan response",
            "04 3E 27 02 01 04 00 58 C1 C9 72 39 D0 1B 05 09 4C 69 67 74 11 06 DE 74 2D F0 70 13 12 B5 44 4B B1 C5 10 FF 95 A4 "
                + "02 0A 04 C5", -59, 27
        ),
        (
            "Estimote",
            "04 3E 2A 02 01 00 01 FC ED 16 D4 EE D6 1E 02 01 06 1A FF 4C 00 02 15 B9 40 7F 30 F5 F8 46 6E AF F9 25 55 6B 57 FE "
                + "6D ED FC D4 16 B6 B4", -76, 30
        ),
        (
            "Tilt hydrometer",
            "04 3E 2A 02 01 03 01 E5 4D AA 4B 87 F6 1E 02 01 04 1A FF 4C 00 02 15 A4 95 BB 30 C5 B1 4B 44 B5 12 13 70 F0 2D 74 "
                + "DE 00 1E 03 F6 68 AC", -84, 30
        ),
    ]

    /// An event from an Android phone's controller: an advertisement and its scan response.
    ///
    /// From `snoop-files` of <https://github.com/bertrandmartel/btsnoop-decoder>, Copyright (c) 2015-2016 Bertrand
    /// Martel, MIT License.
    static let pair = bytes(
        "04 3E 42 02 02 00 00 78 9E 5A 04 A5 78 12 02 01 06 0E FF 0D 00 05 00 E5 00 02 1F 07 00 00 06 28 C9 04 00 78 9E 5A 04 A5 "
            + "78 1A 05 12 19 00 1E 00 02 0A 00 10 09 42 65 65 57 69 20 53 6D 61 72 74 43 6C 69 6D C7")
}
