import Compatibility
import Glibc
import Yams

enum YAMLFile {
    static func read<Value>(
        _ path: String, missing remedy: String, _ body: (inout MappingReader) -> Value?
    ) throws(ConfigurationError) -> Value {
        try parse(TextFile.read(path, missing: remedy), file: path, body)
    }

    static func parse<Value>(
        _ text: String, file: String, _ body: (inout MappingReader) -> Value?
    ) throws(ConfigurationError) -> Value {
        let problems = ProblemList(file: file, text: text)
        let value = compose(text, problems).flatMap { node -> Value? in
            guard var reader = MappingReader(node, path: "", problems: problems) else { return nil }
            let value = body(&reader)
            reader.finish()
            return value
        }
        try problems.check()
        guard let value else {
            let empty = ConfigurationError.Problem(
                file: file, line: nil, text: "the file is empty. Write one key per line.")
            throw ConfigurationError(problems: [empty])
        }
        return value
    }

    /// Nil for an empty text, or after an error, which `problems` then contains.
    static func compose(_ text: String, _ problems: ProblemList) -> Node? {
        do {
            // Some editors write a byte order mark at the start.
            let node = try Yams.compose(yaml: text.hasPrefix("\u{feff}") ? String(text.dropFirst()) : text)
            if let node { noteKeysWithoutName(in: node, of: text, problems) }
            return node
        } catch let error as YamlError {
            switch error {
            case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
                .composer(_, let problem, let mark, _):
                let fault =
                    hasTab(text, line: mark.line)
                    ? "the line has a tab in its indentation, which YAML does not allow. Indent the line with spaces."
                    : "this is not YAML: \(problem) at column \(mark.column). Check indentation, quotes and colons."
                problems.add(fault, line: mark.line)
            case .duplicatedKeysInMapping(let keys, let context):
                for key in keys.sorted() {
                    let line = secondLine(of: key, in: text, from: context.mark.line)
                    problems.add("`\(key)` occurs more than once. Keep only one of these lines.", line: line)
                }
            default: problems.add("this is not YAML: \(error)", line: nil)
            }
        } catch {
            problems.add("this is not YAML: \(error)", line: nil)
        }
        return nil
    }

    /// Reports keys that are lists or mappings; the readers of mappings ignore such keys.
    private static func noteKeysWithoutName(in root: Node, of text: String, _ problems: ProblemList) {
        // A text without aliases has fewer nodes than twice its bytes. Aliases could multiply the nodes exponentially.
        var room = 2 * text.utf8.count + 100
        var rest = [root]
        var lines: Set<Int?> = []
        while let node = rest.popLast(), room > 0 {
            room -= 1
            rest += node.sequence.map(Array.init) ?? []
            for (key, value) in node.mapping ?? [:] {
                rest.append(value)
                guard key.scalar == nil, lines.insert(key.mark?.line).inserted else { continue }
                problems.add(
                    "a key is a list or a mapping instead of a name. Write `name: value`, with the name in quotes if it begins with `[` or `{`.",
                    at: key)
            }
        }
    }

    private static func hasTab(_ text: String, line: Int) -> Bool {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        guard lines.indices.contains(line - 1) else { return false }
        return lines[line - 1].prefix { $0 == " " || $0 == "\t" }.contains("\t")
    }

    /// The second line with the key; the parser reports only the beginning of the mapping.
    private static func secondLine(of key: String, in text: String, from start: Int) -> Int {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().dropFirst(
            start - 1)
        let found = lines.filter { $0.element.drop { $0 == " " || $0 == "-" || $0 == "\"" }.hasPrefix(key) }
        return found.count > 1 ? found[found.startIndex + 1].offset + 1 : start
    }
}

extension OptionTree {
    /// Also accepts JSON, which is valid YAML. `depth` bounds the tree, because YAML aliases could make it huge.
    init(_ node: Node, depth: Int = 5) {
        switch node {
        case .scalar(let scalar): self = node.null == nil ? .text(scalar.string) : .empty
        case .mapping(let mapping) where depth > 0:
            self = .mapping(
                mapping.compactMap { key, value in
                    key.scalar.map { Entry($0.string, line: key.mark?.line, OptionTree(value, depth: depth - 1)) }
                })
        case .mapping, .sequence, .alias: self = .list
        }
    }
}

enum TextFile {
    /// The limit in bytes; a thousand regions need a few hundred kilobytes.
    static let largest = 4 << 20

    /// Reads a file in UTF-8; `remedy` states what to do if it is missing.
    static func read(_ path: String, missing remedy: String = "") throws(ConfigurationError) -> String {
        // Without `O_NONBLOCK`, opening a pipe would wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw errno == ENOENT ? error(path, "trackerd cannot read the file. \(remedy)") : refusal(path)
        }
        defer { close(descriptor) }
        var entry = stat()
        guard fstat(descriptor, &entry) == 0 else { throw refusal(path) }
        switch entry.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw refusal(path, "it is a folder")
        default: throw refusal(path, "it is a device or a pipe, and not a file")
        }
        guard entry.st_size <= Int64(largest) else { throw tooLarge(path) }
        return try text(of: bytes(descriptor, path), path)
    }

    private static func bytes(_ descriptor: Int32, _ path: String) throws(ConfigurationError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            guard count >= 0 else { throw refusal(path) }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
            // The file may have grown since the check of its size.
            guard bytes.count <= largest else { throw tooLarge(path) }
        }
    }

    private static func text(of bytes: [UInt8], _ path: String) throws(ConfigurationError) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
        throw error(path, line: line + 1, "this line is not UTF-8 text. Save the file in the encoding UTF-8.")
    }

    private static func tooLarge(_ path: String) -> ConfigurationError {
        error(path, "the file is larger than \(largest >> 20) MiB. Shorten it.")
    }

    private static func refusal(
        _ path: String, _ cause: String = String(cString: strerror(errno))
    ) -> ConfigurationError {
        error(
            path,
            "trackerd cannot read the file (\(cause)). Check the path and the permissions. Only root and trackerd may read the files in /etc/trackerd, so use `sudo` there."
        )
    }

    private static func error(_ path: String, line: Int? = nil, _ text: String) -> ConfigurationError {
        ConfigurationError(problems: [.init(file: path, line: line, text: text)])
    }
}
