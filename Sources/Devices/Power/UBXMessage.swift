package struct UBXMessage: Sendable, Hashable {
    /// Two synchronisation bytes, class, number, length, contents, checksum.
    package let bytes: [UInt8]

    /// The contents have at most 65535 bytes.
    package init(_ classNumber: UInt8, _ number: UInt8, _ contents: [UInt8]) {
        let body = [classNumber, number, UInt8(contents.count & 0xFF), UInt8(contents.count >> 8 & 0xFF)] + contents
        bytes = [0xB5, 0x62] + body + Self.checksum(body)
    }

    /// The form that gpsd's control socket expects.
    package var hexadecimal: String {
        bytes.map { (byte: UInt8) in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    /// The 8-bit Fletcher sums of RFC 1145, without the synchronisation bytes.
    private static func checksum(_ body: [UInt8]) -> [UInt8] {
        var (sum, sumOfSums): (UInt8, UInt8) = (0, 0)
        for byte in body {
            sum &+= byte
            sumOfSums &+= sum
        }
        return [sum, sumOfSums]
    }
}

extension UBXMessage {
    /// UBX-RXM-PMREQ with 16 bytes: standby without a time limit, until an edge on RX. Receivers of series 10 require
    /// both flags, `backup` and `force`. The message exists since protocol version 18: in u-blox 8, M8, 9 and 10.
    package static let standby = UBXMessage(0x02, 0x41, [0, 0, 0, 0, 0, 0, 0, 0, 0x06, 0, 0, 0, 0x08, 0, 0, 0])

    /// UBX-CFG-RST: resets the receiver at once through its watchdog; the receiver retains its orbits and its clock.
    package static let reset = UBXMessage(0x06, 0x04, [0, 0, 0, 0])

    /// Bytes that form no message. Any edge on RX wakes the receiver, which loses these bytes.
    package static let wakeUp = "ffffffffffffffff"
}
