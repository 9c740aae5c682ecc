import Delivery
import Formats
import Tracking
import TrackingOptions
import Upload
import Yams

/// The keys of one entry of `targets`.
enum TargetEntry {
    static func read(
        _ node: Node, number: Int, device: String, syncInterval: Duration, replay: ReplayRule,
        meteredInterfaces: [String]?, secrets: SecretReader, problems: ProblemList
    ) -> UploadTarget? {
        guard var reader = MappingReader(node, path: "targets[\(number)]", problems: problems) else { return nil }
        let url = reader.string("url")
        let name = reader.string("name") ?? "target\(number)"
        let format = reader.string("format") ?? "owntracks"
        let user = reader.string("user") ?? "trackerd"
        let shownDevice = reader.string("device") ?? device
        let trackerID = reader.name("tid")
        let access = AccessEntry.read(&reader, secrets)
        let allowInsecure = reader.flag("allowInsecure") ?? false
        let proxy = secrets.text("proxy", &reader)
        let compression = reader.word("compress", UploadTarget.Compression.self) ?? .offered
        let batchSize = reader.integer("batchSize", 1...1000) ?? 100
        let order = order(&reader)
        let settings = FormatEntry.read(&reader, format: format, url: url, secrets: secrets)
        let answer = AnswerEntry.read(&reader)
        let mqtt = MQTTOptions(
            topic: reader.string("topic"), clientID: reader.string("clientId"),
            idleDisconnect: reader.duration("idleDisconnect", MQTTOptions.idleRange))
        let control = control(&reader)
        let orders = orders(&reader)
        let regions = regions(&reader)
        let rules = TargetRulesEntry.read(&reader, meteredInterfaces: meteredInterfaces)
        reader.finish()
        let missing = secrets.takeMissing()
        guard let url else {
            problems.add(
                "`targets[\(number)].url` is missing. Write the server's address, such as `url: https://…`.", at: node)
            return nil
        }
        do {
            var target = try UploadTarget(
                name: name, url: url, format: format, user: user, device: shownDevice, trackerID: trackerID,
                access: access, allowInsecure: allowInsecure, proxy: proxy, compression: compression,
                syncInterval: syncInterval, batchSize: batchSize, order: order, replay: replay,
                settings: (settings as? Template)?.selecting(rules.filter.kinds) ?? settings, answer: answer,
                mqtt: mqtt, rules: rules, control: control,
                orders: orders, regions: regions)
            target.missing = missing
            return target
        } catch {
            problems.add("\(error)", at: node.mapping?[error.key] ?? node)
            return nil
        }
    }

    private static func orders(_ reader: inout MappingReader) -> OrderSource? {
        reader.mapping("orders") { section in
            section.missing("url", "Set the address, such as `url: https://fleet.example.net/van1.json`.")
            let interval = section.duration("interval", OrderSource.intervals)
            return section.string("url").map { OrderSource(url: $0, interval: interval ?? .seconds(900)) }
        }
    }

    private static func regions(_ reader: inout MappingReader) -> RegionSource? {
        reader.mapping("regions") { section in
            section.missing("url", "Set the address, such as `url: https://fleet.example.net/regions.json`.")
            let interval = section.duration("interval", OrderSource.intervals)
            return section.string("url").map { RegionSource(url: $0, interval: interval ?? .seconds(3600)) }
        }
    }

    private static func control(_ reader: inout MappingReader) -> Set<RemotePermission> {
        let known = RemotePermission.allCases.map(\.rawValue)
        let permissions = reader.list("control").compactMap { node -> RemotePermission? in
            let text = node.scalar?.string ?? ""
            if let permission = RemotePermission(rawValue: text) { return permission }
            let hint = Spelling.nearest(to: text, among: known).map { " Did you mean `\($0)`?" } ?? ""
            return reader.wrong("control", node, "one of \(known.joined(separator: ", "))", hint: hint)
        }
        return Set(permissions)
    }

    private static func order(_ reader: inout MappingReader) -> Delivery.Order {
        guard let node = reader.child("order") else { return .liveFirst }
        if let order = node.scalar.flatMap({ Delivery.Order(rawValue: $0.string) }) { return order }
        let names = Delivery.Order.allCases.map { "`\($0.rawValue)`" }.joined(separator: " or ")
        return reader.wrong("order", node, names) ?? .liveFirst
    }
}
