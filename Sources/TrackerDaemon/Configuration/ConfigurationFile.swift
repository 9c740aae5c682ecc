import Compatibility
import Quantities
import Store
import Tracking
import TrackingOptions
import Upload
import Yams

/// The keys of the configuration file.
enum ConfigurationFile {
    /// Reads them; `layers` are what lies above the file.
    static func read(_ file: inout MappingReader, below layers: [OptionLayer]) -> Configuration? {
        let device = file.name("device")
        if device == nil, file.node.mapping?["device"] == nil {
            file.problems.add("`device` is missing. Name the tracker, such as `device: van1`.", line: nil)
        }
        var notes: [ConfigurationError.Problem] = []
        let layers = OptionLayers(TrackingSection.read(&file, notes: &notes) + layers)
        let store = store(&file)
        let targets = targets(&file, device: device ?? "device", layers)
        let regions = RegionEntry.readAll(&file)
        let beacons = BeaconEntry.readAll(&file)
        let zone = ZoneFiles().read(&file, notes: &notes)
        let environment = file.word("environment", RemoteOptions.Environment.self) ?? .live
        let controlSocket = ControlSection.read(&file)
        let boardChanges = BoardChanges.read(&file)
        guard let device else { return nil }
        return Configuration(
            device: device, targets: targets, layers: layers, regions: regions, beacons: beacons, zone: zone,
            environment: environment, controlSocket: controlSocket, boardChanges: boardChanges, storePath: store.path,
            grouping: store.grouping, notes: notes)
    }

    private static func store(_ file: inout MappingReader) -> (path: String, grouping: RecordQueue.Grouping) {
        var store = (path: "/var/lib/trackerd/trackerd.sqlite", grouping: RecordQueue.Grouping())
        guard let node = file.child("store"), var reader = MappingReader(node, path: "store", problems: file.problems)
        else { return store }
        store.path = reader.string("path") ?? store.path
        store.grouping.interval = reader.duration("commitInterval", .zero ... .seconds(3600)) ?? store.grouping.interval
        store.grouping.records = reader.integer("commitRecords", 1...10_000) ?? store.grouping.records
        reader.finish()
        return store
    }

    private static func targets(
        _ file: inout MappingReader, device: String, _ layers: OptionLayers
    ) -> [UploadTarget] {
        guard let node = file.child("targets") else { return [] }
        guard let list = node.sequence else {
            let none: [UploadTarget]? = file.wrong("targets", node, "a list, each entry with a `- ` in front")
            return none ?? []
        }
        let options = layers.resolve(isOnTrip: false).options
        var targets: [UploadTarget] = []
        for (index, entry) in list.enumerated() {
            guard
                let target = TargetEntry.read(
                    entry, number: index + 1, device: device, syncInterval: options.desiredSyncInterval,
                    replay: options.replay, problems: file.problems)
            else { continue }
            if targets.contains(where: { $0.name == target.name }) {
                file.problems.add("two targets are called `\(target.name)`. Give each its own `name`.", at: entry)
            }
            targets.append(target)
        }
        return targets
    }
}
