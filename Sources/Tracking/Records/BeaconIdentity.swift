/// Identifies one or several iBeacons.
package struct BeaconIdentity: Sendable, Hashable, Codable {
    /// Proximity UUID in lower case, with hyphens.
    package var uuid: String
    /// A nil `major` matches any number, and so does a nil `minor`.
    package var major: UInt16?
    package var minor: UInt16?

    package init(uuid: String, major: UInt16? = nil, minor: UInt16? = nil) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
    }

    package func matches(_ sighting: BeaconSighting) -> Bool {
        uuid == sighting.uuid && (major ?? sighting.major) == sighting.major
            && (minor ?? sighting.minor) == sighting.minor
    }

    /// Reads OwnTracks' form, in which 0 means any number; nil if the UUID is malformed.
    package init?(ownTracksUUID uuid: String, major: UInt16, minor: UInt16) {
        let lower = uuid.lowercased()
        guard Self.isUUID(lower) else { return nil }
        self.init(uuid: lower, major: major == 0 ? nil : major, minor: minor == 0 ? nil : minor)
    }

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

package struct BeaconSighting: Sendable, Hashable, Codable {
    package let uuid: String
    package let major: UInt16
    package let minor: UInt16
    /// Signal strength in dBm, from −127 to 20.
    package let rssi: Int8
    /// Signal strength at 1 m as the beacon states it, in dBm; nil if the scanner did not report it.
    package let measuredPower: Int8?

    package init(uuid: String, major: UInt16, minor: UInt16, rssi: Int8, measuredPower: Int8? = nil) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
        self.rssi = rssi
        self.measuredPower = measuredPower
    }
}

extension BeaconSighting: CustomStringConvertible {
    package var description: String { "\(uuid) \(major) \(minor) at \(rssi) dBm" }
}

package struct BeaconReading: Sendable, Hashable, Codable {
    /// Distance classes as in Apple's Core Location.
    package enum Proximity: String, Sendable, Hashable, Codable, CaseIterable {
        /// The scanner has not received the beacon recently, or the beacon does not state its power.
        case unknown
        /// Within half a metre.
        case immediate
        /// Within 3 m.
        case near
        case far
    }

    /// The smoothed signal strength in dBm.
    package var rssi: Double
    package var proximity: Proximity
}
