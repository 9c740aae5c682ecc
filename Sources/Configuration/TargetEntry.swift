import Delivery
import Formats
import Tracking
import TrackingOptions
import Upload
import Yams

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
        let order = reader.word("order", Delivery.Order.self) ?? .liveFirst
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
                mqtt: mqtt, rules: rules, control: control, orders: orders, regions: regions)
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
}

/// The keys of a target that choose its records and networks.
enum TargetRulesEntry {
    /// `meteredInterfaces` is the file's list, which applies to all targets; nil keeps the default.
    static func read(_ reader: inout MappingReader, meteredInterfaces: [String]?) -> TargetRules {
        var rules = TargetRules()
        rules.replay = reader.word("replay", ReplayRule.self)
        rules.filter.sync = reader.word("sync", SyncRule.self) ?? .all
        rules.filter.kinds = selectors("kinds", &reader)
        rules.filter.exceptKinds = selectors("exceptKinds", &reader)
        rules.filter.tags = reader.texts("tags")
        if !rules.filter.kinds.isEmpty, let node = reader.child("exceptKinds") {
            reader.problems.add("`kinds` and `exceptKinds` are both set. Keep one of them.", at: node)
        }
        rules.network.interfaces = reader.texts("interfaces")
        rules.network.allowsMetered = reader.flag("metered") ?? true
        rules.monthlyBytes = bytes("monthlyBytes", &reader)
        if let meteredInterfaces { rules.network.meteredInterfaces = meteredInterfaces }
        return rules
    }

    private static func bytes(_ key: String, _ reader: inout MappingReader) -> Int64? {
        guard let node = reader.child(key) else { return nil }
        let text = node.scalar?.string ?? ""
        let unit = text.drop { $0.isNumber || $0 == "." }
        let scale = ["": 1.0, "kB": 1e3, "KB": 1e3, "MB": 1e6, "GB": 1e9][unit.trimmingPrefix(" ")]
        if let scale, let number = Double(text.dropLast(unit.count)), number * scale >= 1000, number * scale <= 1e15 {
            return Int64(number * scale)
        }
        return reader.wrong(key, node, "a number of bytes from 1000, such as `50MB` or `2GB`")
    }

    private static func selectors(_ key: String, _ reader: inout MappingReader) -> [RecordSelector] {
        let nodes = reader.list(key)
        if let node = reader.child(key), node.sequence?.isEmpty == true {
            reader.problems.add(
                "`\(reader.full(key))` is an empty list. Write a kind, or leave the line out.", at: node)
        }
        return nodes.compactMap { node in
            let text = node.scalar?.string ?? ""
            if let selector = RecordSelector(reading: text) { return selector }
            return reader.wrong(key, node, expected(for: text), hint: hint(for: text))
        }
    }

    private static func expected(for text: String) -> String {
        guard let kind = Record.Kind(rawValue: String(text.prefix { $0 != "." })) else {
            let kinds = Record.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            return "one of \(kinds), or one of them with an event, such as `power.supplyLow`"
        }
        guard !kind.events.isEmpty else { return "`\(kind)` without an event" }
        return "`\(kind)`, or `\(kind).` followed by one of \(kind.events.joined(separator: ", "))"
    }

    /// For an event without its kind, names every kind that has this event; otherwise the nearest name.
    private static func hint(for text: String) -> String {
        let whole = RecordSelector.names.filter { $0.hasSuffix(".\(text)") }
        let nearest = whole.isEmpty ? Spelling.nearest(to: text, among: RecordSelector.names).map { [$0] } ?? [] : whole
        guard !nearest.isEmpty else { return "" }
        return " Did you mean \(nearest.map { "`\($0)`" }.joined(separator: " or "))?"
    }
}

/// Reads the tracker's credentials, and the authorities that it trusts.
enum AccessEntry {
    static func read(_ reader: inout MappingReader, _ secrets: SecretReader) -> TargetAccess {
        var access = TargetAccess()
        access.username = reader.string("username")
        access.password = secrets.secretOrFile("password", &reader)
        if reader.child("token")?.mapping?["url"] != nil {
            access.tokenEndpoint = tokenEndpoint(&reader, secrets)
        } else {
            access.token = secrets.secret("token", &reader)
        }
        access.headers = headers(&reader, secrets)
        access.caFile = secrets.readable("caFile", &reader)
        access.certificateFile = secrets.readable("certificateFile", &reader)
        access.keyFile = secrets.readable("keyFile", &reader)
        for key in ["certificateFile", "keyFile"] {
            // A certificate is public, but the file that contains its key is secret.
            guard let path = key == "keyFile" || access.keyFile == nil ? reader.child(key)?.scalar?.string : nil,
                let node = reader.child(key)
            else { continue }
            secrets.notePermissions(of: path, "`\(reader.full(key))`: ", node)
        }
        return access
    }

    private static func tokenEndpoint(_ reader: inout MappingReader, _ secrets: SecretReader) -> TokenEndpoint? {
        reader.mapping("token") { part in
            let (url, client) = (part.string("url"), part.string("clientId"))
            part.missing("clientId", "Write the client identifier that is registered at the token server.")
            let secret = secrets.secret("clientSecret", &part)
            let refresh = secrets.secret("refreshToken", &part)
            let scope = part.string("scope")
            guard let url, let client else { return nil }
            return TokenEndpoint(url: url, clientID: client, clientSecret: secret, refreshToken: refresh, scope: scope)
        }
    }

    private static func headers(_ reader: inout MappingReader, _ secrets: SecretReader) -> [TargetAccess.Header] {
        reader.mapping("headers") { part in
            let names = part.node.mapping?.keys.compactMap(\.string) ?? []
            return names.compactMap { name in
                secrets.secret(name, &part).map { TargetAccess.Header(name: name, value: $0) }
            }
        } ?? []
    }
}
