import Quantities
import Store
import Tracking
import Upload
import Yams

/// The keys of the configuration file.
enum ConfigurationFile {
    static func read(_ file: inout MappingReader) -> Configuration? {
        let device = file.string("device")
        if device == nil, file.node.mapping?["device"] == nil {
            file.problems.add("`device` is missing. Name the tracker, such as `device: van1`.", line: nil)
        }
        let options = tracking(&file)
        let store = store(&file)
        let targets = targets(&file, device: device ?? "device", syncInterval: options.desiredSyncInterval)
        guard let device else { return nil }
        return Configuration(
            device: device, targets: targets, options: options, storePath: store.path, grouping: store.grouping)
    }

    private static func tracking(_ file: inout MappingReader) -> TrackingOptions {
        guard let node = file.child("tracking"),
            var reader = MappingReader(node, path: "tracking", problems: file.problems)
        else { return Profile.vehicle.options }
        var options = profile(&reader).options
        for option in TrackingOption.all { reader.read(option, into: &options) }
        reader.finish()
        return options
    }

    private static func profile(_ reader: inout MappingReader) -> Profile {
        guard let node = reader.child("profile") else { return .vehicle }
        if let name = node.scalar?.string, let profile = Profile.named(name) { return profile }
        let names = Profile.all.map(\.name).joined(separator: ", ")
        return reader.wrong("profile", node, "one of \(names)") ?? .vehicle
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

    private static func targets(_ file: inout MappingReader, device: String, syncInterval: Duration) -> [UploadTarget] {
        guard let node = file.child("targets") else { return [] }
        guard let list = node.sequence else {
            let none: [UploadTarget]? = file.wrong("targets", node, "a list, each entry with a `- ` in front")
            return none ?? []
        }
        var targets: [UploadTarget] = []
        for (index, entry) in list.enumerated() {
            guard
                let target = TargetEntry.read(
                    entry, number: index + 1, device: device, syncInterval: syncInterval, problems: file.problems)
            else { continue }
            if targets.contains(where: { $0.name == target.name }) {
                file.problems.add("two targets are called `\(target.name)`. Give each its own `name`.", at: entry)
            }
            targets.append(target)
        }
        return targets
    }
}

extension MappingReader {
    /// Reads one tracking option; what is not there stays as it is.
    fileprivate mutating func read(_ option: TrackingOption, into options: inout TrackingOptions) {
        switch option.value {
        case .duration(let place, let range):
            if let value = duration(option.key, range) { options[keyPath: place] = value }
        case .metres(let place, let range):
            let bounds = range.lowerBound.value...range.upperBound.value
            if let value = number(option.key, bounds, unit: " of metres") { options[keyPath: place] = Metres(value) }
        case .number(let place, let range):
            if let value = number(option.key, range) { options[keyPath: place] = value }
        case .flag(let place):
            if let value = flag(option.key) { options[keyPath: place] = value }
        }
    }
}
