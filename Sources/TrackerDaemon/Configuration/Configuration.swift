package import Calendar
package import Compatibility
import FoundationEssentials
package import Hardware
package import Store
package import Tracking
package import TrackingOptions
package import Upload

/// The checked configuration.
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

    /// Whether the configuration contains a beacon, or a region that uses a beacon.
    package var hasBeacons: Bool { !beacons.isEmpty || regions.contains { $0.shape.trigger == .beacon } }

    /// Returns the options that result from these layers, in the form that the engine applies.
    package func resolve(_ layers: OptionLayers, isOnTrip: Bool) -> ResolvedOptions {
        var resolved = layers.resolve(isOnTrip: isOnTrip)
        if hasBeacons, !layers.forbidBeacons(isOnTrip: isOnTrip) { resolved.switchOnBeacons() }
        return resolved
    }

    /// Reads a configuration file; throws all errors of the file.
    ///
    /// Environment variables and arguments `KEY=VALUE` override the tracking options of the file. If one of them is
    /// wrong, throws their errors without reading the file. If `needsSecrets` is false, a target with a secret that cannot
    /// be read is no error; it waits.
    package static func read(
        _ path: String = defaultPath, environment: [String: String] = ProcessInfo.processInfo.environment,
        arguments: [String] = [], needsSecrets: Bool = true
    ) throws(ConfigurationError) -> Configuration {
        _ = try layers(environment, arguments)
        return try parse(
            text(of: path), file: path, environment: environment, arguments: arguments, needsSecrets: needsSecrets)
    }

    /// Reads a configuration from text.
    package static func parse(
        _ text: String, file: String, environment: [String: String] = [:], arguments: [String] = [],
        needsSecrets: Bool = true
    ) throws(ConfigurationError) -> Configuration {
        let layers = try layers(environment, arguments)
        var configuration = try YAMLFile.parse(text, file: file) {
            ConfigurationFile.read(&$0, below: layers, variables: environment, needsSecrets: needsSecrets)
        }
        for index in configuration.targets.indices where configuration.targets[index].missing != nil {
            let name = configuration.targets[index].name
            // This reads the text in force, because the owner may not have finished a change of the file.
            configuration.targets[index].missing?.retry = {
                let again = try? parse(
                    text, file: file, environment: environment, arguments: arguments, needsSecrets: false)
                return again?.targets.first { $0.name == name && $0.missing == nil }
            }
        }
        return configuration
    }

    private static func layers(
        _ environment: [String: String], _ arguments: [String]
    ) throws(ConfigurationError) -> [OptionLayer] {
        [try OptionVariables.read(environment), try CommandLineOptions.read(arguments)].compactMap { $0 }
    }

    static let remedy = """
        Create the file, or set another file with --config. Three lines are enough:
        device: van1
        targets:
          - url: https://track.example.net/pub
        """
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
