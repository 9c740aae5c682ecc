import FoundationEssentials
package import Hardware
import Tracking
import TrackingOptions

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
    ///
    /// What the configuration file changes is laid over it. `models` are the accelerometers that are known; any is
    /// taken when none is given.
    package static func read(
        named name: String, in folders: [String], changes: BoardChanges? = nil, models: [String] = []
    ) throws(ConfigurationError) -> BoardDescription {
        let path = try path(of: name, in: folders)
        var reader = try YAMLFile.read(path, missing: "Check its permissions.") { file -> BoardReader? in
            var reader = BoardReader(BoardDescription(name: name), models: models)
            reader.read(&file)
            return reader
        }
        try changes?.apply(to: &reader)
        return reader.board
    }

    /// The boards that can be named.
    package static func names(in folders: [String]) -> [String] {
        let files = folders.flatMap { (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? [] }
        return Set(files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }).sorted()
    }

    private static func path(of name: String, in folders: [String]) throws(ConfigurationError) -> String {
        let paths = folders.map { "\($0)/\(name).yaml" }
        if let path = paths.first(where: { FileManager.default.fileExists(atPath: $0) }) { return path }
        let known = names(in: folders)
        let hint = Spelling.nearest(to: name, among: known).map { " Did you mean `\($0)`?" } ?? ""
        let list =
            known.isEmpty ? "none was found in \(folders.joined(separator: ", "))" : known.joined(separator: ", ")
        let text = "`\(name)` is not a known board.\(hint) Known: \(list)."
        throw ConfigurationError(problems: [.init(file: "--board", line: nil, text: text)])
    }
}
