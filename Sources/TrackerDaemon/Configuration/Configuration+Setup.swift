package import Hardware
package import Tracking

extension Configuration {
    /// What the engine is given, on a board that has these means to bring a lost receiver back.
    package func setup(for board: BoardDescription, revivals: [ReceiverRevival] = []) -> Setup {
        var setup = Setup(
            layers: layers, regions: regions, markedBeacons: beacons, zone: zone, notBefore: ReleaseDate.current)
        setup.power = board.power
        if board.wakeUp != .clock { setup.power.wakeAfter = nil }
        setup.revivals = revivals
        return setup
    }
}
