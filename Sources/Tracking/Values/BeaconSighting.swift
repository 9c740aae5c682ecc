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
    /// Signal strength in dBm that the beacon claims to have at 1 m; nothing when whoever heard it did not pass that on.
    package let measuredPower: Int8?

    /// Makes a sighting.
    package init(uuid: String, major: UInt16, minor: UInt16, rssi: Int8, measuredPower: Int8? = nil) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
        self.rssi = rssi
        self.measuredPower = measuredPower
    }
}
