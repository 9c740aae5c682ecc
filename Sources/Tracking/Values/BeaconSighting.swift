/// One iBeacon advertisement that was heard.
package struct BeaconSighting: Sendable, Hashable, Codable {
    /// Proximity UUID in lower case, with hyphens.
    package let uuid: String
    /// Major number.
    package let major: UInt16
    /// Minor number.
    package let minor: UInt16
    /// Signal strength in dBm, from −127 to 20.
    package let rssi: Int8

    /// Makes a sighting.
    package init(uuid: String, major: UInt16, minor: UInt16, rssi: Int8) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
        self.rssi = rssi
    }
}
