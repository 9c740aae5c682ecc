extension BeaconIdentity {
    /// Reads an identity as OwnTracks writes it, where 0 means any; nothing when the UUID is none.
    package init?(ownTracksUUID uuid: String, major: UInt16, minor: UInt16) {
        let lower = uuid.lowercased()
        guard Self.isUUID(lower) else { return nil }
        self.init(uuid: lower, major: major == 0 ? nil : major, minor: minor == 0 ? nil : minor)
    }

    /// Whether a text is 8-4-4-4-12 hexadecimal digits in lower case.
    static func isUUID(_ text: String) -> Bool {
        let groups = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.map(\.count) == [8, 4, 4, 4, 12] && groups.joined().allSatisfy(isLowerHexDigit)
    }

    private static func isLowerHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }
}
