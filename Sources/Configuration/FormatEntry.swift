import Formats
import JSON
import Quantities
import Upload
import Yams

/// The settings of a target's format, under the format's name.
enum FormatEntry {
    /// Reads the settings. Nil if the format has none, if a necessary one is missing or wrong, or if the whole part is
    /// missing (except for `template`).
    static func read(
        _ reader: inout MappingReader, format: String, url: String?, secrets: SecretReader
    ) -> (any UploadFormat)? {
        for other in parts where other != format {
            guard let node = reader.child(other) else { continue }
            reader.problems.add(
                "`\(reader.full(other))` has no effect with `format: \(format.printable())`. Remove this key, or write "
                    + "`format: \(other)`.", at: node)
        }
        switch format {
        case "owntracks": return reader.mapping("owntracks") { ownTracks(&$0, secrets) }
        case "traccar": return reader.mapping("traccar") { Traccar(form: $0.word("form", Traccar.Form.self) ?? .form) }
        case "transistor": return reader.mapping("transistor", transistor)
        case "template": return template(&reader, url: url)
        default: return nil
        }
    }

    static let parts = ["owntracks", "traccar", "transistor", "template"]

    private static func ownTracks(_ reader: inout MappingReader, _ secrets: SecretReader) -> OwnTracks? {
        let sendsStatus = reader.flag("status") ?? false
        let names = ["encryptionKey", "encryptionKeyFile"]
        guard let name = names.first(where: { reader.child($0) != nil }), let node = reader.child(name) else {
            return OwnTracks(sendsStatus: sendsStatus)
        }
        guard let source = secrets.secretOrFile("encryptionKey", &reader), let phrase = (try? source.read())?.revealed
        else { return nil }
        guard let key = OwnTracksKey(phrase) else {
            // Report no error for an empty file, which may still be written, or for a missing variable, which was
            // already noted.
            if phrase.isEmpty,
                secrets.isIncomplete(source.file, "`\(reader.full(name))` is empty", node, reader.problems)
            {
                return nil
            }
            reader.problems.add(
                "The key in `\(reader.full(name))` has \(phrase.utf8.count) bytes. Write 1 to \(OwnTracksKey.longest) bytes; "
                    + "`openssl rand -hex 16` prints a suitable key.", at: node)
            return nil
        }
        return OwnTracks(key: key, sendsStatus: sendsStatus)
    }

    private static func transistor(_ reader: inout MappingReader) -> Transistor? {
        let root = reader.string("httpRootProperty") ?? "location"
        let settings = Transistor.Settings(
            rootProperty: root == "." ? nil : root, isBatched: reader.flag("batchSync") ?? true,
            params: members("params", &reader), extras: members("extras", &reader),
            locationTemplate: template("locationTemplate", &reader),
            geofenceTemplate: template("geofenceTemplate", &reader))
        if settings.rootProperty == nil, settings.isBatched, !settings.params.isEmpty, let node = reader.child("params")
        {
            reader.problems.add(
                "with `httpRootProperty: .`, trackerd sends a list of records without `\(reader.full("params"))`. Set another `httpRootProperty`, or set `batchSync: false`.",
                at: node)
        }
        return Transistor(settings)
    }

    private static func template(_ key: String, _ reader: inout MappingReader) -> TransistorTemplate? {
        guard let text = reader.string(key), let node = reader.child(key) else { return nil }
        do {
            return try TransistorTemplate(text)
        } catch {
            reader.problems.add("`\(reader.full(key))`: \(error)", at: node)
            return nil
        }
    }

    private static func members(_ key: String, _ reader: inout MappingReader) -> [String: JSONValue] {
        guard let node = reader.child(key) else { return [:] }
        guard let members = JSONValue(node).members else {
            return reader.wrong(key, node, "a mapping, with one `key: value` per line") ?? [:]
        }
        return members
    }

    private static func template(_ reader: inout MappingReader, url: String?) -> Template? {
        var body: String?
        var type = "application/json"
        let part = reader.child("template")
        reader.section("template") { part in
            body = part.string("body")
            type = part.name("contentType") ?? type
        }
        // `TargetEntry` reports an invalid address.
        guard let url, let address = try? ServerAddress(url) else { return nil }
        if address.host.contains("{"), let node = reader.child("url") {
            reader.problems.add(
                "`\(reader.full("url"))` has a placeholder in the server's name. Write placeholders only in the path and in the query.",
                at: node)
        }
        do {
            return try Template(path: address.path, body: body, contentType: type)
        } catch {
            reader.problems.add("`\(reader.full("template"))`: \(error)", at: part ?? reader.node)
            return nil
        }
    }
}

enum AnswerEntry {
    /// Nil also if the key is missing, because then the format's own rule applies.
    static func read(_ reader: inout MappingReader) -> AnswerRule? {
        guard let node = reader.child("answer") else { return nil }
        if node.scalar?.string == "any" { return .any }
        guard node.mapping != nil else {
            return reader.wrong("answer", node, "`any`, or a mapping such as `{contains: OK}`")
        }
        return reader.mapping("answer") { answer in
            let contains = answer.string("contains").map(AnswerRule.contains)
            let matches = matches(&answer)
            let field = field(&answer)
            let rules = [contains, matches, field].compactMap { $0 }
            guard rules.count != 1 else { return rules[0] }
            answer.problems.add(
                "`\(answer.full("contains"))`, `matches` and `field` are alternatives. Write exactly one of them.",
                at: node)
            return nil
        }
    }

    private static func matches(_ reader: inout MappingReader) -> AnswerRule? {
        guard let pattern = reader.string("matches"), let node = reader.child("matches") else { return nil }
        guard (try? Regex(pattern)) != nil else { return reader.wrong("matches", node, "a regular expression") }
        return .matches(pattern)
    }

    private static func field(_ reader: inout MappingReader) -> AnswerRule? {
        let value = reader.string("is")
        guard let path = reader.string("field"), let node = reader.child("field") else { return nil }
        guard let value else {
            reader.problems.add(
                "`\(reader.full("is"))` is missing. Write the value that `\(path.printable())` has if the server accepts a record.",
                at: node)
            return nil
        }
        return .field(path: path.split(separator: ".").map(String.init), value: value)
    }
}

extension JSONValue {
    /// A quoted scalar is a text.
    init(_ node: Node) {
        if let list = node.sequence {
            self = .list(list.map(JSONValue.init))
        } else if let mapping = node.mapping {
            let members = mapping.compactMap { key, value in key.string.map { ($0, JSONValue(value)) } }
            self = .object(Dictionary(members) { $1 })
        } else if let scalar = node.scalar {
            self = JSONValue(scalar, of: node)
        } else {
            self = .null
        }
    }

    private init(_ scalar: Node.Scalar, of node: Node) {
        if [.singleQuoted, .doubleQuoted].contains(scalar.style) {
            self = .text(scalar.string)
        } else if node.null != nil {
            self = .null
        } else if let flag = node.bool {
            self = .flag(flag)
        } else if let number = node.int {
            self = .integer(Int64(number))
        } else if let number = node.float, number.isFinite {
            self = .number(number)
        } else {
            self = .text(scalar.string)
        }
    }
}
