import Hardware
import Yams

/// The key `board` of the configuration file: the name of a board, or a section that changes values of the board's own file.
///
/// The entry stores the section as text, because the meaning of the section depends on the board. The command line may
/// select another board.
package struct BoardEntry: Sendable, Hashable {
    package static let key = "board"

    /// The file and the line in which a name is written.
    package struct Place: Sendable, Hashable {
        package let file: String
        package let line: Int?
    }

    /// The name of the board, or `auto`; nil if the key sets no name.
    package let base: String?
    /// The place at which the name is written; nil if there is no name.
    package let place: Place?
    /// Whether the key is a section with changes.
    let hasChanges: Bool
    package let file: String
    package let text: String

    /// Reads and checks the key without reading the board's file; returns nil if the key is missing or wrong.
    static func read(_ file: inout MappingReader) -> BoardEntry? {
        guard let node = file.child(key) else { return nil }
        let problems = file.problems
        guard node.mapping == nil else {
            return file.mapping(key) { section in
                let base = base(&section)
                var reader = BoardReader(BoardDescription(name: ""))
                reader.isComplete = false
                reader.read(&section)
                return BoardEntry(base, hasChanges: true, problems)
            }
        }
        return file.name(key).map { BoardEntry(($0, node), hasChanges: false, problems) }
    }

    private init(_ base: (name: String, node: Node)?, hasChanges: Bool, _ problems: ProblemList) {
        self.base = base?.name
        place = base.map { Place(file: problems.file, line: $0.node.mark?.line) }
        self.hasChanges = hasChanges
        file = problems.file
        text = problems.text
    }

    private static func base(_ section: inout MappingReader) -> (name: String, node: Node)? {
        guard let node = section.child("base") else { return nil }
        return section.name("base").map { ($0, node) }
    }

    /// Applies the section to a board that `reader` has read from its own file.
    func apply(to reader: inout BoardReader) throws(ConfigurationError) {
        guard hasChanges else { return }
        let problems = ProblemList(file: file, text: text)
        if let node = YAMLFile.compose(text, problems)?[Self.key],
            var section = MappingReader(node, path: Self.key, problems: problems)
        {
            _ = Self.base(&section)
            reader.read(&section)
            section.finish()
        }
        try problems.check()
    }

    /// Returns the section with these changes, in one line; nil if the key only names a board.
    package func section(_ changes: [BoardChange]) -> String? {
        guard hasChanges, var section = YAMLText(text) else { return nil }
        section.change(changes)
        return section.node(.key(Self.key))?.inOneLine
    }
}
