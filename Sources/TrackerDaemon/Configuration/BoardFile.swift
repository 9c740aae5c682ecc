import FoundationEssentials
package import Hardware
import Tracking
import TrackingOptions
import Yams

/// Finds and reads the file that describes a board.
package enum BoardFile {
    /// Returns the folders to search for boards: the owner's, the installation's, and a checkout's.
    package static func folders(executable: String) -> [String] {
        var folders = ["/etc/trackerd/boards"]
        var folder = executable
        // An installed program has its boards in ../share; a freshly built program has them in its checkout.
        while let slash = folder.lastIndex(of: "/") {
            folder = String(folder[..<slash])
            folders += ["\(folder)/share/trackerd/boards", "\(folder)/boards"]
        }
        return folders
    }

    /// Reads the board of that name; if there is none, throws an error that lists the known names.
    ///
    /// Applies the changes in the configuration file. `models` are the known accelerometers; if the list is empty, the
    /// reader accepts any model.
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

    /// Returns the names of all boards in the folders.
    package static func names(in folders: [String]) -> [String] {
        let files = folders.flatMap { (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? [] }
        return Set(files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }).sorted()
    }

    private static func path(of name: String, in folders: [String]) throws(ConfigurationError) -> String {
        let paths = folders.map { "\($0)/\(name).yaml" }
        if let path = paths.first(where: { FileManager.default.fileExists(atPath: $0) }) { return path }
        let known = names(in: folders)
        let hint = Spelling.nearest(to: name, among: known).map { " Did you mean `\($0)`?" } ?? ""
        let remedy =
            known.isEmpty
            ? "Install the board files; \(folders.joined(separator: ", ")) contain none."
            : "Choose one of: \(known.joined(separator: ", "))."
        let text = "`\(name)` is not a known board.\(hint) \(remedy)"
        throw ConfigurationError(problems: [.init(file: "--board", line: nil, text: text)])
    }
}

/// The section `board` of the configuration file: the changes to the board's own file.
///
/// The section is stored as text, because its meaning depends on the board that the command line selects.
package struct BoardChanges: Sendable, Hashable {
    static let key = "board"

    let file: String
    let text: String

    /// Checks the section without a board; returns nil if the section is missing.
    static func read(_ file: inout MappingReader) -> BoardChanges? {
        let isThere: Bool? = file.mapping(key) { section in
            var reader = BoardReader(BoardDescription(name: ""))
            reader.isComplete = false
            reader.read(&section)
            return true
        }
        return isThere.map { _ in BoardChanges(file: file.problems.file, text: file.problems.text) }
    }

    /// Applies the section to a board that `reader` has read from its own file.
    func apply(to reader: inout BoardReader) throws(ConfigurationError) {
        let problems = ProblemList(file: file)
        if let node = YAMLFile.compose(text, problems)?[Self.key],
            var section = MappingReader(node, path: Self.key, problems: problems)
        {
            reader.read(&section)
            section.finish()
        }
        try problems.check()
    }
}
