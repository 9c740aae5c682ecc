import Hardware
import Yams

/// The name of a board, or a section that changes values of the board's own file. The entry is kept as text, because its
/// meaning depends on the board, and the command line may select another board.
package struct BoardEntry: Sendable, Hashable {
    package static let key = "board"

    package struct Place: Sendable, Hashable {
        package let file: String
        package let line: Int?
    }

    /// The board's name, or `auto`; nil if the key sets none.
    package let base: String?
    package let place: Place?
    let hasChanges: Bool
    package let file: String
    package let text: String

    /// Reads the entry without the board's file; nil if the key is missing or wrong.
    static func read(_ file: inout MappingReader) -> BoardEntry? {
        guard let node = file.child(key) else { return nil }
        let problems = file.problems
        guard node.mapping == nil else {
            return file.mapping(key) { section in
                let base = base(&section)
                var reader = BoardReader(BoardDescription(name: ""), isComplete: false)
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

    /// The section with these changes in one line; nil if the key only names a board.
    package func section(_ changes: [BoardChange]) -> String? {
        guard hasChanges, var section = YAMLText(text) else { return nil }
        section.change(changes)
        return section.node(.key(Self.key))?.inOneLine
    }
}
