package import Calendar
package import Compatibility
import FoundationEssentials
package import Hardware
package import Store
package import Tracking
package import TrackingOptions
package import Upload

/// The configuration, checked.
package struct Configuration: Sendable {
    /// The path of the file if none is named.
    package static let defaultPath = "/etc/trackerd/config.yaml"

    /// The name of the vehicle's tracker, as servers see it.
    package var device: String
    /// Where records go.
    package var targets: [UploadTarget]
    /// How the vehicle is tracked, in layers: the profile, the file, the environment, the command line.
    package var layers: OptionLayers
    /// The places whose entering and leaving is recorded.
    package var regions: [Region]
    /// The beacons that identify the vehicle and its driver.
    package var beacons: [MarkedBeacon]
    /// The zone in which times of day are read.
    package var zone: TimeZoneRules
    /// The environment whose options of the server apply.
    package var environment: RemoteOptions.Environment
    /// The socket over which commands reach the daemon.
    package var controlSocket: String
    /// What the section `board` changes of the board's own file.
    package var boardChanges: BoardChanges?
    /// The database file.
    package var storePath: String
    /// How plain locations are grouped into commits.
    package var grouping: RecordQueue.Grouping
    /// Hints, such as keys without effect.
    package var notes: [ConfigurationError.Problem]

    /// The tracking options without those of the server.
    package var options: TrackingOptions { layers.resolve(isOnTrip: false).options }

    /// Reads a configuration file; throws everything that is wrong with it.
    ///
    /// Variables of the environment and arguments `KEY=VALUE` override the tracking options of the file.
    package static func read(
        _ path: String = defaultPath, environment: [String: String] = ProcessInfo.processInfo.environment,
        arguments: [String] = []
    ) throws(ConfigurationError) -> Configuration {
        let layers = try layers(environment, arguments)
        return try YAMLFile.read(path, missing: remedy) { ConfigurationFile.read(&$0, below: layers) }
    }

    /// Reads a configuration from text.
    package static func parse(
        _ text: String, file: String, environment: [String: String] = [:], arguments: [String] = []
    ) throws(ConfigurationError) -> Configuration {
        let layers = try layers(environment, arguments)
        return try YAMLFile.parse(text, file: file) { ConfigurationFile.read(&$0, below: layers) }
    }

    private static func layers(
        _ environment: [String: String], _ arguments: [String]
    ) throws(ConfigurationError) -> [OptionLayer] {
        [try OptionVariables.read(environment), try CommandLineOptions.read(arguments)].compactMap { $0 }
    }

    private static let remedy = """
        Create it, or name another file with --config. Three lines are enough:
        device: van1
        targets:
          - url: https://track.example.net/pub
        """
}

extension Configuration {
    /// What the engine is given on this board.
    package func setup(for board: BoardDescription) -> EngineConfiguration {
        var setup = EngineConfiguration(
            layers: layers, modes: OptionLayer.ownTracksModes, regions: regions, markedBeacons: beacons, zone: zone,
            notBefore: ReleaseDate.current)
        setup.power = board.power
        if board.wakeUp != .clock { setup.power.wakeAfter = nil }
        return setup
    }
}
