package import Tracking

extension Configuration {
    /// What the engine is given.
    package var setup: Setup {
        Setup(
            layers: layers, regions: regions, markedBeacons: beacons, zone: zone, notBefore: ReleaseDate.current)
    }
}
