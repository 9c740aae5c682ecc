package import Calendar
package import Compatibility
package import Hardware
package import Store
package import Tracking
package import TrackingOptions
package import Upload

package struct Configuration: Sendable {
    package static let defaultPath = "/etc/trackerd/config.yaml"

    package var device: String
    package var targets: [UploadTarget]
    package var layers: OptionLayers
    package var regions: [Region]
    package var beacons: [MarkedBeacon]
    package var zone: TimeZoneRules
    package var environment: RemoteOptions.Environment
    package var controlSocket: String
    package var readSocket: String?
    package var privatePlaces: [PrivatePlace] = []
    package var serverLimits = ServerLimits()
    package var metrics: MetricSettings?
    /// Nil if the file names neither a board nor a change of one.
    package var board: BoardEntry?
    var writtenPaths: [WrittenPath] = []
    package var storePath: String
    package var grouping: RecordQueue.Grouping
    /// Notes for the owner, such as keys that have no effect.
    package var notes: [ConfigurationError.Problem]

    package var options: TrackingOptions { layers.resolve(isOnTrip: false).options }

    package var hasBeacons: Bool { !beacons.isEmpty || regions.contains { $0.shape.trigger == .beacon } }

    package func resolve(_ layers: OptionLayers, isOnTrip: Bool) -> ResolvedOptions {
        var resolved = layers.resolve(isOnTrip: isOnTrip)
        if hasBeacons, !layers.forbidBeacons(isOnTrip: isOnTrip) { resolved.switchOnBeacons() }
        return resolved
    }

}

extension Configuration {
    package func checkSecrets(in file: String) throws(ConfigurationError) {
        let problems = targets.compactMap(\.missing).map {
            ConfigurationError.Problem(file: file, line: nil, text: "\($0.reason).")
        }
        guard problems.isEmpty else { throw ConfigurationError(problems: problems) }
    }

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

package struct MetricSettings: Sendable, Hashable {
    package let textfile: String
    package private(set) var interval = Duration.seconds(60)
}

extension RemoteControl {
    package init(_ configuration: Configuration) {
        self.init(
            Dictionary(configuration.targets.map { ($0.name, $0.control) }) { first, _ in first },
            limits: configuration.serverLimits, environment: configuration.environment)
    }
}

package struct RemoteControl: Sendable {
    package let environment: RemoteOptions.Environment
    let permissions: [String: Set<RemotePermission>]
    private let limits: ServerLimits

    package init() { self.init([:]) }

    package init(
        _ permissions: [String: Set<RemotePermission>], limits: ServerLimits = ServerLimits(),
        environment: RemoteOptions.Environment = .live
    ) {
        (self.environment, self.permissions, self.limits) = (environment, permissions, limits)
    }

    package func permits(_ permission: RemotePermission, to target: String) -> Bool {
        permissions[target]?.contains(permission) == true
    }

    var rights: ServerRights {
        func targets(_ permission: RemotePermission) -> Set<String> {
            Set(permissions.filter { $0.value.contains(permission) }.keys)
        }
        return ServerRights(limits: limits, silence: targets(.silence), mode: targets(.mode))
    }
}
