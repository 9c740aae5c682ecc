import Hardware
import Yams

/// The section `board` of the configuration file: what is different from the board's own file.
///
/// It is kept as text, since what it means is only known together with the board that is named on the command line.
package struct BoardChanges: Sendable, Hashable {
    static let key = "board"

    let file: String
    let text: String

    /// Looks the section over by itself, without a board; nothing when there is none.
    static func read(_ file: inout MappingReader) -> BoardChanges? {
        let isThere: Bool? = file.mapping(key) { section in
            var reader = BoardReader(BoardDescription(name: ""))
            reader.isComplete = false
            reader.read(&section)
            return true
        }
        return isThere.map { _ in BoardChanges(file: file.problems.file, text: file.problems.text) }
    }

    /// Lays the section over what was read of the board's own file.
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
