package import Calendar
package import Compatibility
import FoundationEssentials
package import Hardware
package import Store
package import Tracking
package import TrackingOptions
package import Upload

package struct Configuration: Sendable {
    /// The path of the file if the command line does not set one.
    package static let defaultPath = "/etc/trackerd/config.yaml"

    /// The name of the vehicle's tracker, which servers receive.
    package var device: String
    /// The servers that receive the records.
    package var targets: [UploadTarget]
    /// The tracking options in layers: the profile, the file, the environment, the command line.
    package var layers: OptionLayers
    /// The watched places; the tracker records each entry and exit.
    package var regions: [Region]
    /// The beacons that identify the vehicle and its driver.
    package var beacons: [MarkedBeacon]
    /// The time zone for times of day.
    package var zone: TimeZoneRules
    /// The environment, live or test; trackerd applies the options that a server sends for this environment.
    package var environment: RemoteOptions.Environment
    /// The socket over which commands reach the daemon.
    package var controlSocket: String
    /// The path of the socket for clients that may only read; nil if there is none.
    package var readSocket: String?
    /// The circles in which the tracker records no position.
    package var privatePlaces: [PrivatePlace] = []
    /// How far a server may reduce what the tracker records and sends.
    package var serverLimits = ServerLimits()
    /// The Prometheus textfile; nil if the file sets none.
    package var metrics: MetricSettings?
    /// The board, and changes to the board's own file; nil if the file sets neither.
    package var board: BoardEntry?
    /// The paths in the file at which trackerd creates files.
    var writtenPaths: [WrittenPath] = []
    /// The database file.
    package var storePath: String
    /// The limits for grouping plain locations into commits.
    package var grouping: RecordQueue.Grouping
    /// Hints for the owner, for example about keys that have no effect.
    package var notes: [ConfigurationError.Problem]

    /// The tracking options in force, except options that a server has sent.
    package var options: TrackingOptions { layers.resolve(isOnTrip: false).options }

    package var hasBeacons: Bool { !beacons.isEmpty || regions.contains { $0.shape.trigger == .beacon } }

    /// Returns the options that result from these layers, in the form that the engine applies.
    package func resolve(_ layers: OptionLayers, isOnTrip: Bool) -> ResolvedOptions {
        var resolved = layers.resolve(isOnTrip: isOnTrip)
        if hasBeacons, !layers.forbidBeacons(isOnTrip: isOnTrip) { resolved.switchOnBeacons() }
        return resolved
    }

}

extension Configuration {
    /// Throws an error for each target that waits for a secret.
    package func checkSecrets(in file: String) throws(ConfigurationError) {
        let problems = targets.compactMap(\.missing).map {
            ConfigurationError.Problem(file: file, line: nil, text: "\($0.reason).")
        }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
    }

    /// Returns the engine's configuration on this board.
    package func setup(for board: BoardDescription) -> EngineConfiguration {
        var setup = EngineConfiguration(
            layers: layers, modes: layers.ownTracksModes, regions: regions, markedBeacons: beacons, zone: zone,
            notBefore: ReleaseDate.current)
        setup.privatePlaces = privatePlaces
        setup.serverRights = RemoteControl(self).rights
        setup.power = board.power
        setup.expectsMotionSensor = board.accelerometer != nil
        setup.hasPrivateSwitch = board.privateSwitch != nil
        setup.program.board = board.name
        if board.wakeUp != .clock { setup.power.wakeAfter = nil }
        return setup
    }
}

extension RemoteControl {
    package init(_ configuration: Configuration) {
        self.init(
            Dictionary(configuration.targets.map { ($0.name, $0.control) }) { first, _ in first },
            limits: configuration.serverLimits, environment: configuration.environment)
    }
}
