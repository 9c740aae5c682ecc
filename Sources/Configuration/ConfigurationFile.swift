import Compatibility
import Quantities
import Store
import Tracking
import TrackingOptions
import Upload
import Yams

enum ConfigurationFile {
    /// `layers` override the options in the file. Without `needsSecrets`, a target waits for a secret that cannot be
    /// read; otherwise that is an error.
    static func read(
        _ file: inout MappingReader, below layers: [OptionLayer], variables: [String: String], needsSecrets: Bool
    ) -> Configuration? {
        let device = device(&file)
        if device == nil, file.node.mapping?["device"] == nil {
            file.problems.add("`device` is missing. Set the tracker's name, such as `device: van1`.", line: nil)
        }
        var notes: [ConfigurationError.Problem] = []
        let layers = OptionLayers(tracking(&file, notes: &notes) + layers)
        if let problem = layers.problemOnPeriod { file.problems.add(problem.text, line: problem.line) }
        let store = store(&file)
        let secrets = SecretReader(file: file.problems.file, variables: variables, mustBeReadable: needsSecrets)
        let targets = targets(&file, device: device ?? "device", layers, secrets)
        notes += secrets.notes
        let places = RegionEntry.readAll(&file)
        let beacons = BeaconEntry.readAll(&file)
        let zone = ZoneFiles().read(&file, notes: &notes)
        let environment = file.word("environment", RemoteOptions.Environment.self) ?? .live
        let sockets = ControlSection.read(&file)
        let serverLimits = serverLimits(&file)
        let metrics = metrics(&file)
        let board = BoardEntry.read(&file)
        guard let device else { return nil }
        var configuration = Configuration(
            device: device, targets: targets, layers: layers, regions: places.watched, beacons: beacons, zone: zone,
            environment: environment, controlSocket: sockets.command, metrics: metrics, board: board,
            storePath: store.path, grouping: store.grouping, notes: notes)
        configuration.serverLimits = serverLimits
        configuration.privatePlaces = places.hidden
        configuration.readSocket = sockets.read
        configuration.writtenPaths = file.problems.writtenPaths
        let hints = [
            configuration.noteOnBeacons, configuration.noteOnRegions(in: file.problems.file),
            configuration.noteOnMissingRegions,
            configuration.noteOnEvents(in: file.problems.file),
        ]
        configuration.notes += hints.compactMap(\.self)
        return configuration
    }

    private static func device(_ file: inout MappingReader) -> String? {
        guard let name = file.name("device"), let node = file.child("device") else { return nil }
        if let device = DeviceName.expand(name) { return device }
        file.problems.add(
            "`device` contains \(DeviceName.serial), but this computer has no serial number. Use \(DeviceName.hostname).",
            at: node)
        return nil
    }

    private static func store(_ file: inout MappingReader) -> (path: String, grouping: RecordQueue.Grouping) {
        var store = (path: "/var/lib/trackerd/trackerd.sqlite", grouping: RecordQueue.Grouping())
        guard let node = file.child("store"), var reader = MappingReader(node, path: "store", problems: file.problems)
        else { return store }
        store.path = reader.path("path") ?? store.path
        store.grouping.interval = reader.duration("commitInterval", .zero ... .seconds(3600)) ?? store.grouping.interval
        store.grouping.records = reader.integer("commitRecords", 1...10_000) ?? store.grouping.records
        reader.finish()
        return store
    }

    private static func targets(
        _ file: inout MappingReader, device: String, _ layers: OptionLayers, _ secrets: SecretReader
    ) -> [UploadTarget] {
        let metered = file.child("meteredInterfaces") == nil ? nil : file.texts("meteredInterfaces")
        let options = layers.resolve(isOnTrip: false).options
        var targets: [UploadTarget] = []
        for (index, entry) in file.list("targets").enumerated() {
            guard
                let target = TargetEntry.read(
                    entry, number: index + 1, device: device, syncInterval: options.desiredSyncInterval,
                    replay: options.replay, meteredInterfaces: metered, secrets: secrets, problems: file.problems)
            else { continue }
            if targets.contains(where: { $0.name == target.name }) {
                file.problems.add(
                    "two targets have the name `\(target.name)`. Give each target its own `name`.", at: entry)
            }
            if let other = targets.first(where: { $0.sharesClientID(with: target) }) {
                let id = target.clientID.printable()
                file.problems.add(
                    "the targets `\(other.name)` and `\(target.name)` use the same client id `\(id)` at the same "
                        + "broker, so the broker disconnects one target whenever the other connects. Set a different `clientId` for one target.",
                    at: entry)
            }
            targets.append(target)
        }
        return targets
    }
}

extension Configuration {
    fileprivate var noteOnBeacons: ConfigurationError.Problem? {
        guard hasBeacons, layers.forbidBeacons(isOnTrip: false) else { return nil }
        return layers.problem(
            with: "beacons",
            "`beacons: false` switches scanning off, so trackerd does not receive the configured beacons. Remove this option or the beacons."
        )
    }

    fileprivate var noteOnMissingRegions: ConfigurationError.Problem? {
        guard options.syncGeofences, !targets.contains(where: { $0.control.contains(.regions) }) else { return nil }
        return layers.problem(
            with: "syncGeofences",
            "`syncGeofences` has no effect, because no target permits its server to send regions. Write `control: [regions]` in a target, or remove the option."
        )
    }

    fileprivate func noteOnRegions(in file: String) -> ConfigurationError.Problem? {
        guard let target = targets.first(where: { $0.regions != nil }) else { return nil }
        guard !options.syncGeofences || options.syncGeofencesLimit == 0 else { return nil }
        return .init(
            file: file, line: nil,
            text:
                "the target `\(target.name)` has `regions`, but `syncGeofences` is off or `syncGeofencesLimit` is 0, so trackerd fetches and watches no regions of servers. Set both options under `tracking`."
        )
    }
}

extension OptionLayers {
    fileprivate var problemOnPeriod: ConfigurationError.Problem? {
        let options = resolve(isOnTrip: false).options
        guard let begin = options.startTrackingAfter, let end = options.stopTrackingAfter, end <= begin else {
            return nil
        }
        return problem(
            with: "stopTrackingAfter",
            "`stopTrackingAfter` is not after `startTrackingAfter`, so trackerd would never track. Correct one of the two times."
        )
    }

    /// Returns a fault at the place that sets the option; nil if only a profile or a default sets it.
    fileprivate func problem(with key: String, _ text: String) -> ConfigurationError.Problem? {
        guard let source = given(key, isOnTrip: false)?.source else { return nil }
        // The source is a file with or without a line, the name of a variable, or `command line`.
        let parts = source.split(separator: ":")
        let line = parts.last.flatMap { Int($0) }
        let file = line == nil ? source : parts.dropLast().joined(separator: ":")
        return .init(file: file, line: line, text: text)
    }
}

package enum ControlSection {
    /// systemd creates the folder.
    package static let defaultSocket = "/run/trackerd/control.sock"

    static func read(_ file: inout MappingReader) -> (command: String, read: String?) {
        file.mapping("control") { section in
            let command = path("socket", &section) ?? defaultSocket
            let read = section.either("readSocket", now: sibling(of: command)) { path("readSocket", &$0) }
            return (command, read)
        } ?? (defaultSocket, sibling(of: defaultSocket))
    }

    private static func path(_ key: String, _ section: inout MappingReader) -> String? {
        guard let path = section.path(key), let node = section.child(key) else { return nil }
        // unix(7): `sun_path` has 108 bytes, the last of which is 0.
        guard path.utf8.count <= 107 else {
            let fault = "has \(path.utf8.count) bytes, and the system allows at most 107"
            section.problems.add("`\(section.full(key))` \(fault). Write a shorter path.", at: node)
            return nil
        }
        return path
    }

    package static func sibling(of socket: String) -> String {
        socket.lastIndex(of: "/").map { socket[...$0] + "read.sock" } ?? "read.sock"
    }

    /// The default path if the file cannot be read, is not YAML, or sets no socket.
    package static func socket(in path: String) -> String { value(of: "socket", in: path) ?? defaultSocket }

    package static func readSocket(in path: String) -> String {
        value(of: "readSocket", in: path) ?? sibling(of: socket(in: path))
    }

    private static func value(of key: String, in path: String) -> String? {
        guard let text = try? TextFile.read(path) else { return nil }
        let node = try? Yams.compose(yaml: text)
        return node?["control"]?[key]?.scalar?.string
    }
}

extension ConfigurationFile {
    private static func tracking(
        _ file: inout MappingReader, notes: inout [ConfigurationError.Problem]
    ) -> [OptionLayer] {
        guard let node = file.child("tracking") else { return [.profile(.vehicle)] }
        let name = file.problems.file
        guard case .mapping(let entries) = OptionTree(node) else {
            file.problems.add("`tracking` contains no `key: value` lines. Write one key per line.", at: node)
            return []
        }
        let reading = OptionReader.read(entries, path: "tracking") { line in line.map { "\(name):\($0)" } ?? name }
        for problem in reading.problems { file.problems.add(problem.text, line: problem.line) }
        notes += reading.notes.map { .init(file: name, line: $0.line, text: $0.text) }
        return [.profile(reading.profile ?? .vehicle), OptionLayer(.file, name: name, reading.assignments)]
    }

    private static func serverLimits(_ file: inout MappingReader) -> ServerLimits {
        file.mapping("serverLimits") { section in
            var limits = ServerLimits()
            limits.interval = section.duration("interval", .seconds(60) ... .seconds(86_400)) ?? limits.interval
            limits.distance = section.integer("distance", 10...1_000_000).map { Metres(Double($0)) } ?? limits.distance
            limits.accuracy = section.integer("accuracy", 5...10_000).map { Metres(Double($0)) } ?? limits.accuracy
            return limits
        } ?? ServerLimits()
    }

    /// Nil also if `textfile` is missing or wrong.
    private static func metrics(_ file: inout MappingReader) -> MetricSettings? {
        file.mapping("metrics") { section in
            let interval = section.duration("interval", .seconds(1) ... .seconds(86_400)) ?? .seconds(60)
            section.missing("textfile", "Set the file, such as `textfile: /run/trackerd/trackerd.prom`.")
            guard let path = section.path("textfile"), let node = section.child("textfile") else { return nil }
            guard path.hasPrefix("/"), path.hasSuffix(".prom") else {
                return section.wrong(
                    "textfile", node, "an absolute path that ends in `.prom`, such as `/run/trackerd/trackerd.prom`",
                    hint: " node_exporter reads only such files.")
            }
            return MetricSettings(textfile: path, interval: interval)
        }
    }
}
