/// The number of an HCI command: its group in the upper six bits, and its number in the group.
package struct HCIOpcode: RawRepresentable, Sendable, Hashable {
    /// The number.
    package let rawValue: UInt16

    /// Makes it of its number.
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Reads the first two bytes; nothing when there are fewer.
    package init?(littleEndian bytes: ArraySlice<UInt8>) {
        guard let low = bytes.first, let high = bytes.dropFirst().first else { return nil }
        rawValue = UInt16(high) << 8 | UInt16(low)
    }

    /// Reset; the kernel sends it when somebody switches the adapter.
    package static let reset = HCIOpcode(rawValue: 0x0C03)
    /// LE Read Local Supported Features.
    package static let readFeatures = HCIOpcode(rawValue: 0x2003)
    /// LE Set Scan Parameters.
    package static let setParameters = HCIOpcode(rawValue: 0x200B)
    /// LE Set Scan Enable.
    package static let setEnable = HCIOpcode(rawValue: 0x200C)
    /// LE Set Extended Scan Parameters.
    package static let setExtendedParameters = HCIOpcode(rawValue: 0x2041)
    /// LE Set Extended Scan Enable.
    package static let setExtendedEnable = HCIOpcode(rawValue: 0x2042)
}
