import Tracking

extension Samples {
    static let beaconUUID = "6d1f2a90-4c3e-4b7a-9e55-0a1b2c3d4e5f"

    /// `rssi` and `measuredPower`, the strength at 1 m, are in dBm.
    static func sighting(_ minor: UInt16 = 7, _ rssi: Int8 = -70, measuredPower: Int8? = -59) -> BeaconSighting {
        BeaconSighting(uuid: beaconUUID, major: 1, minor: minor, rssi: rssi, measuredPower: measuredPower)
    }

    static func beacon(_ minor: UInt16 = 7) -> BeaconIdentity {
        BeaconIdentity(uuid: beaconUUID, major: 1, minor: minor)
    }
}
