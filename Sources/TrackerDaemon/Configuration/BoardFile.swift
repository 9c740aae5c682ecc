import FoundationEssentials
package import Hardware
import Tracking

/// Finds and reads the file that describes a board.
package enum BoardFile {
    /// The folders in which boards are looked for: of the owner, of the installation, of a checkout.
    package static func folders(executable: String) -> [String] {
        var folders = ["/etc/trackerd/boards"]
        var folder = executable
        // An installed program has its boards in ../share, a freshly built one in the checkout that it lies in.
        while let slash = folder.lastIndex(of: "/") {
            folder = String(folder[..<slash])
            folders += ["\(folder)/share/trackerd/boards", "\(folder)/boards"]
        }
        return folders
    }

    /// Reads the description of the board of that name; throws with the known names when there is none.
    package static func read(named name: String, in folders: [String]) throws(ConfigurationError) -> BoardDescription {
        for folder in folders {
            let path = "\(folder)/\(name).yaml"
            guard FileManager.default.fileExists(atPath: path) else { continue }
            return try YAMLFile.read(path, missing: "Check its permissions.") { read(&$0, name: name) }
        }
        let known = names(in: folders)
        let hint = Spelling.nearest(to: name, among: known).map { " Did you mean `\($0)`?" } ?? ""
        let list =
            known.isEmpty ? "none was found in \(folders.joined(separator: ", "))" : known.joined(separator: ", ")
        let text = "`\(name)` is not a known board.\(hint) Known: \(list)."
        throw ConfigurationError(problems: [.init(file: "--board", line: nil, text: text)])
    }

    /// The boards that can be named.
    package static func names(in folders: [String]) -> [String] {
        let files = folders.flatMap { (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? [] }
        return Set(files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }).sorted()
    }

    private static func read(_ file: inout MappingReader, name: String) -> BoardDescription? {
        var board = BoardDescription(
            name: name, text: file.string("description") ?? "", isSimulated: file.flag("simulated") ?? false,
            gpsd: GpsdAddress(),
            currents: Currents())
        if let node = file.child("gpsd"), var reader = MappingReader(node, path: "gpsd", problems: file.problems) {
            board.gpsd.host = reader.string("host") ?? board.gpsd.host
            board.gpsd.port = reader.integer("port", 1...65_535).map(UInt16.init) ?? board.gpsd.port
            board.gpsd.device = reader.string("device")
            reader.finish()
        }
        if let node = file.child("currents_mA"),
            var reader = MappingReader(node, path: "currents_mA", problems: file.problems)
        {
            board.currents.board_mA = reader.number("board", 0...10_000) ?? 0
            board.currents.receiver_mA = reader.number("receiver", 0...10_000) ?? 0
            reader.finish()
        }
        return board
    }
}
