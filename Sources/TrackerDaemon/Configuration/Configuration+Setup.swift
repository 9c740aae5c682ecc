import Compatibility
package import Hardware
package import Tracking
import TrackingOptions

extension Configuration {
    /// What the engine is given on this board.
    package func setup(for board: BoardDescription) -> Setup {
        var setup = Setup(
            layers: layers, modes: OptionLayer.ownTracksModes, regions: regions, markedBeacons: beacons, zone: zone,
            notBefore: ReleaseDate.current)
        setup.power = board.power
        if board.wakeUp != .clock { setup.power.wakeAfter = nil }
        return setup
    }
}
