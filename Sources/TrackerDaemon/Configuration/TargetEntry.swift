import FoundationEssentials
import Tracking
import TrackingOptions
import Upload
import Yams

/// The keys of one entry of `targets`.
enum TargetEntry {
    /// Reads an entry; notes its errors.
    static func read(
        _ node: Node, number: Int, device: String, syncInterval: Duration, replay: ReplayRule, problems: ProblemList
    ) -> UploadTarget? {
        guard var reader = MappingReader(node, path: "targets[\(number)]", problems: problems) else { return nil }
        let url = reader.string("url")
        let name = reader.string("name") ?? "target\(number)"
        let format = reader.string("format") ?? "owntracks"
        let user = reader.string("user") ?? "trackerd"
        let shownDevice = reader.string("device") ?? device
        let trackerID = reader.name("tid")
        let username = reader.string("username")
        let password = password(&reader)
        let allowInsecure = reader.flag("allowInsecure") ?? false
        let caFile = caFile(&reader)
        let proxy = reader.string("proxy")
        let batchSize = reader.integer("batchSize", 1...1000) ?? 100
        let order = order(&reader)
        let settings = FormatEntry.read(&reader, format: format, url: url)
        let answer = AnswerEntry.read(&reader)
        reader.finish()
        guard let url else {
            problems.add(
                "`targets[\(number)].url` is missing. Write the server's address, such as `url: https://…`.", at: node)
            return nil
        }
        do {
            return try UploadTarget(
                name: name, url: url, format: format, user: user, device: shownDevice, trackerID: trackerID,
                username: username, password: password, allowInsecure: allowInsecure, caFile: caFile, proxy: proxy,
                syncInterval: syncInterval, batchSize: batchSize, order: order, replay: replay,
                settings: settings, answer: answer)
        } catch {
            problems.add("\(error)", at: node.mapping?[error.key] ?? node)
            return nil
        }
    }

    private static func caFile(_ reader: inout MappingReader) -> String? {
        guard let path = reader.string("caFile"), let node = reader.child("caFile") else { return nil }
        return FileManager.default.isReadableFile(atPath: path)
            ? path : reader.wrong("caFile", node, "a file that trackerd can read")
    }

    private static func order(_ reader: inout MappingReader) -> UploadTarget.Order {
        guard let node = reader.child("order") else { return .liveFirst }
        if let order = node.scalar.flatMap({ UploadTarget.Order(rawValue: $0.string) }) { return order }
        let names = UploadTarget.Order.allCases.map { "`\($0.rawValue)`" }.joined(separator: " or ")
        return reader.wrong("order", node, names) ?? .liveFirst
    }

    /// Reads the password from the entry or from a file.
    ///
    /// With a file, the owner can show the configuration to others.
    private static func password(_ reader: inout MappingReader) -> String? {
        let direct = reader.string("password")
        guard let path = reader.string("passwordFile"), let node = reader.child("passwordFile") else { return direct }
        if direct != nil {
            reader.problems.add("`passwordFile` and `password` are both set. Keep one of them.", at: node)
        }
        guard let data = FileManager.default.contents(atPath: path) else {
            return reader.wrong("passwordFile", node, "a file that trackerd can read")
        }
        let text = String(decoding: data, as: UTF8.self)
        return String(text.split(whereSeparator: \.isNewline).first ?? "")
    }
}
