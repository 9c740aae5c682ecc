import FoundationEssentials
import Glibc
package import Hardware
import TrackingOptions
import Yams

package enum BoardFile {
    /// The folders with board files: the owner's, and two in each folder above the executable.
    package static func folders(executable: String) -> [String] {
        var folders = ["/etc/trackerd/boards"]
        var folder = executable
        // An installed program has its boards in ../share, a freshly built one in its checkout.
        while let slash = folder.lastIndex(of: "/") {
            folder = String(folder[..<slash])
            folders += ["\(folder)/share/trackerd/boards", "\(folder)/boards"]
        }
        return folders
    }

    /// Reads the board with this name, and applies the changes in the configuration file. `auto` is the board of this
    /// computer; nil is the board in the configuration file, or `bare` if that sets none. If the board does not exist,
    /// the error lists the known names. `models` are the known accelerometers; if it is empty, any is accepted.
    package static func read(
        named name: String?, in folders: [String], entry: BoardEntry? = nil, models: [String] = [],
        on computer: ComputerModel? = .this
    ) throws(ConfigurationError) -> BoardDescription {
        let place = name == nil ? entry?.place : nil
        var name = name ?? entry?.base ?? "bare"
        if name == ComputerModel.automatic { name = try self.name(of: computer, in: folders, place) }
        let path = try path(of: name, in: folders, place)
        var reader = try YAMLFile.read(path, missing: "Check its permissions.") { file -> BoardReader? in
            var reader = BoardReader(BoardDescription(name: name), models: models)
            reader.read(&file)
            return reader
        }
        try entry?.apply(to: &reader)
        return reader.board
    }

    package static func names(in folders: [String]) -> [String] {
        let files = folders.flatMap { (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? [] }
        return Set(files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }).sorted()
    }

    package static func name(of computer: ComputerModel, in folders: [String]) -> String? {
        let known = names(in: folders).flatMap { name -> [(name: String, model: String)] in
            let file = folders.lazy.map { "\($0)/\(name).yaml" }.first(where: FileManager.default.fileExists)
            guard let data = file.flatMap(FileManager.default.contents),
                let node = YAMLFile.compose(String(decoding: data, as: UTF8.self), ProblemList(file: ""))
            else { return [] }
            return node["deviceTree"].map { $0.sequence?.compactMap(\.string) ?? [$0.string].compactMap { $0 } }?
                .map { (name, $0) } ?? []
        }
        // `Raspberry Pi 3 Model B Plus Rev 1.3` begins with the names of two models; the longer one is right.
        return known.filter { computer.isA($0.model) }.max { $0.model.count < $1.model.count }?.name
    }

    private static func name(
        of computer: ComputerModel?, in folders: [String], _ place: BoardEntry.Place?
    ) throws(ConfigurationError) -> String {
        if let name = computer.flatMap({ self.name(of: $0, in: folders) }) { return name }
        let fault =
            computer.map { "no board file describes this computer (\($0.name))" } ?? "this computer has no device tree"
        throw error(
            "`auto` cannot choose a board, because \(fault). Set `board: bare` for gpsd only, or write a board file.",
            place)
    }

    private static func error(_ text: String, _ place: BoardEntry.Place?) -> ConfigurationError {
        ConfigurationError(problems: [.init(file: place?.file ?? "--board", line: place?.line, text: text)])
    }

    private static func path(
        of name: String, in folders: [String], _ place: BoardEntry.Place?
    ) throws(ConfigurationError) -> String {
        let paths = folders.map { "\($0)/\(name).yaml" }
        if let path = paths.first(where: { FileManager.default.fileExists(atPath: $0) }) { return path }
        let known = names(in: folders)
        let hint = Spelling.nearest(to: name, among: known).map { " Did you mean `\($0)`?" } ?? ""
        let remedy =
            known.isEmpty
            ? "Install the board files; these folders contain none: \(folders.joined(separator: ", "))."
            : "Choose one of: \(known.joined(separator: ", "))."
        throw error("`\(name)` is not a known board.\(hint) \(remedy)", place)
    }
}

package struct ComputerModel: Sendable, Hashable {
    package static let automatic = "auto"

    /// A name such as `Raspberry Pi 4 Model B Rev 1.4`.
    package let name: String

    package init(name: String) { self.name = name }

    /// Nil without a device tree, as on a PC.
    package static var this: ComputerModel? { read("/proc/device-tree/model").map(ComputerModel.init) }

    package static var serialNumber: String? { read("/proc/device-tree/serial-number") }

    package func isA(_ model: String) -> Bool { name == model || name.hasPrefix(model + " ") }

    /// Reads a zero-terminated text of the device tree.
    private static func read(_ path: String) -> String? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let text = String(decoding: data.prefix { $0 != 0 }, as: UTF8.self)
        return text.isEmpty ? nil : text
    }
}

/// The tracker's name may contain placeholders, so that one image suits all computers of a fleet.
package enum DeviceName {
    package static let hostname = "{hostname}"
    package static let serial = "{serial}"

    /// Nil if the name contains `{serial}` and the computer has none.
    static func expand(
        _ name: String, hostname: String = ownHostname, serialNumber: String? = ComputerModel.serialNumber
    ) -> String? {
        let name = name.replacing(Self.hostname, with: hostname)
        guard name.contains(serial) else { return name }
        return serialNumber.map { name.replacing(serial, with: $0) }
    }

    private static var ownHostname: String {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return "tracker" }
        return String(decoding: bytes.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
