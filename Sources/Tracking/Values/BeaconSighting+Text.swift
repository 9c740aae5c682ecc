extension BeaconSighting: CustomStringConvertible {
    /// Its identity and strength, in words.
    package var description: String { "\(uuid) \(major) \(minor) at \(rssi) dBm" }
}
