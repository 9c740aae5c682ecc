package import Hardware
package import Tracking

extension Configuration {
    /// What the engine is given on this board.
    package func setup(for board: BoardDescription) -> EngineConfiguration {
        var setup = EngineConfiguration(
            layers: layers, regions: regions, markedBeacons: beacons, zone: zone, notBefore: ReleaseDate.current)
        setup.power = board.power
        if board.wakeUp != .clock { setup.power.wakeAfter = nil }
        return setup
    }
}
