import Calendar
import Glibc
import Hardware
import Quantities
import TrackingOptions
import Yams

/// Collects the errors of a file, so that all are reported at once.
final class ProblemList {
    private(set) var problems: [ConfigurationError.Problem] = []
    private(set) var writtenPaths: [WrittenPath] = []
    let file: String
    let text: String

    init(file: String, text: String = "") {
        self.file = file
        self.text = text
    }

    func check() throws(ConfigurationError) {
        guard !problems.isEmpty else { return }
        throw ConfigurationError(problems: problems.sorted { ($0.line ?? 0) < ($1.line ?? 0) })
    }

    func add(_ path: String, of key: String, at node: Node) {
        writtenPaths.append(WrittenPath(key: key, path: path, file: file, line: node.mark?.line))
    }

    func add(_ text: String, at node: Node) { add(text, line: node.mark?.line) }

    func add(_ text: String, line: Int?) { problems.append(.init(file: file, line: line, text: text)) }
}

/// Reports wrong values as it reads them, and unknown keys in `finish`.
struct MappingReader {
    let node: Node
    let problems: ProblemList
    private let path: String
    private var known: [String] = []

    init?(_ node: Node, path: String, problems: ProblemList) {
        guard node.mapping != nil else {
            let name = path.isEmpty ? "the file" : "`\(path)`"
            let isTight = node.scalar?.string.contains(":") == true
            let remedy = isTight ? "Write a space after the colon." : "Write one key per line."
            problems.add("\(name) contains no `key: value` lines. \(remedy)", at: node)
            return nil
        }
        self.node = node
        self.path = path
        self.problems = problems
    }

    mutating func child(_ key: String) -> Node? {
        if !known.contains(key) { known.append(key) }
        guard let child = node.mapping?[key], child.null == nil else { return nil }
        return child
    }

    mutating func string(_ key: String) -> String? {
        guard let node = child(key) else {
            if let empty = node.mapping?[key] { noteEmpty(key, empty) }
            return nil
        }
        guard let text = node.scalar?.string else { return wrong(key, node, "a text") }
        if text.isEmpty { noteEmpty(key, node) }
        return text
    }

    mutating func path(_ key: String) -> String? {
        guard let path = string(key), let node = child(key) else { return nil }
        var entry = stat()
        let isFolder = stat(path, &entry) == 0 && entry.st_mode & S_IFMT == S_IFDIR
        guard !isFolder, path.last != "/" else {
            problems.add("`\(full(key))` is a folder. Add the name of a file.", at: node)
            return nil
        }
        problems.add(path, of: full(key), at: node)
        return path
    }

    mutating func name(_ key: String) -> String? {
        guard let text = string(key), let node = child(key) else { return nil }
        guard let fault = text.nameFault else { return text }
        problems.add("`\(full(key))` \(fault). Write one short line of plain text.", at: node)
        return nil
    }

    private func noteEmpty(_ key: String, _ node: Node) {
        let remedy = "Write a value, in quotes if it begins with `#`, or leave the line out."
        problems.add("`\(full(key))` is empty. \(remedy)", at: node)
    }

    mutating func list(_ key: String) -> [Node] {
        guard let node = child(key) else { return [] }
        return node.sequence.map(Array.init) ?? wrong(key, node, "a list in which each entry begins with `- `") ?? []
    }

    mutating func mapping<Value>(_ key: String, _ body: (inout MappingReader) -> Value?) -> Value? {
        guard let node = child(key), var reader = MappingReader(node, path: full(key), problems: problems) else {
            return nil
        }
        let value = body(&reader)
        reader.finish()
        return value
    }

    mutating func section(_ key: String, _ body: (inout MappingReader) -> Void) {
        _ = mapping(key) { body(&$0) as Void? }
    }

    mutating func word<Word: RawRepresentable & CaseIterable>(_ key: String, _: Word.Type) -> Word?
    where Word.RawValue == String {
        guard let node = child(key) else { return nil }
        if let word = node.scalar.flatMap({ Word(rawValue: $0.string) }) { return word }
        return wrong(key, node, Word.allCases.map { "`\($0.rawValue)`" }.joined(separator: " or "))
    }

    mutating func flag(_ key: String) -> Bool? {
        guard let node = child(key) else { return nil }
        return node.bool ?? wrong(key, node, "`true` or `false`")
    }

    mutating func number(_ key: String, _ range: ClosedRange<Double>, unit: String = "") -> Double? {
        guard let node = child(key) else { return nil }
        guard let value = node.float, range.contains(value) else {
            return wrong(
                key, node,
                "a number\(unit) from \(NumberText.write(range.lowerBound)) to \(NumberText.write(range.upperBound))")
        }
        return value
    }

    mutating func integer(_ key: String, _ range: ClosedRange<Int>) -> Int? {
        guard let node = child(key) else { return nil }
        guard let value = node.int, range.contains(value) else {
            return wrong(key, node, "a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return value
    }

    /// Reads seconds, or a text such as `90s`, `5m`, `2h` or `1d`.
    mutating func duration(_ key: String, _ range: ClosedRange<Duration>) -> Duration? {
        guard let node = child(key) else { return nil }
        guard let value = node.scalar.flatMap({ DurationText.parse($0.string) }), range.contains(value) else {
            let bounds = "\(DurationText.write(range.lowerBound)) to \(DurationText.write(range.upperBound))"
            return wrong(key, node, "a duration from \(bounds), in seconds or with a unit, such as `90s`, `5m` or `2h`")
        }
        return value
    }

    func wrong<Value>(_ key: String, _ node: Node, _ expected: String, hint: String = "") -> Value? {
        problems.add("\(fault(key, node, expected)).\(hint)", at: node)
        return nil
    }

    func fault(_ key: String, _ node: Node, _ expected: String) -> String {
        let given = node.scalar.map { "`\($0.string.printable())`" } ?? "the given value"
        return "`\(full(key))` must be \(expected); \(given) is not"
    }

    func missing(_ key: String, _ remedy: String) {
        guard node.mapping?[key] == nil else { return }
        problems.add("`\(full(key))` is missing. \(remedy)", at: node)
    }

    func finish() {
        for (key, _) in node.mapping ?? [:] {
            guard let name = key.string, !known.contains(name) else { continue }
            problems.add("`\(full(name.printable()))` is not an option.\(hint(on: name))", at: key)
        }
    }

    private func hint(on name: String) -> String {
        if let nearest = Spelling.nearest(to: name, among: known) { return " Did you mean `\(nearest)`?" }
        let isOption = name == "profile" || TrackingOption.all.contains { $0.key == name }
        if isOption, known.contains("tracking") { return " Write `\(name)` in the section `tracking`." }
        return " Known keys: \(known.sorted().joined(separator: ", "))."
    }

    func full(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }
}

extension MappingReader {
    /// Reads an optional part: `none` removes it, and a mapping creates or changes it.
    mutating func part<Part>(_ key: String, now: Part?, _ body: (inout MappingReader, Part?) -> Part?) -> Part? {
        either(key, now: now) { $0.mapping(key) { body(&$0, now) } }
    }

    mutating func either<Value>(_ key: String, now: Value?, _ body: (inout MappingReader) -> Value?) -> Value? {
        guard let node = child(key) else { return now }
        return node.scalar?.string == "none" ? nil : body(&self)
    }

    mutating func device(_ key: String) -> String? {
        guard let path = string(key), let node = child(key) else { return nil }
        return path.hasPrefix("/dev/") ? path : wrong(key, node, "the path of a device, such as `/dev/i2c-1`")
    }

    mutating func line(_ key: String) -> LineReference.Line? {
        guard let text = string(key), let node = child(key) else { return nil }
        guard let number = Int(text) else { return .name(text) }
        return number >= 0 ? .offset(number) : wrong(key, node, "the name of a line, or its number from 0")
    }

    mutating func texts(_ key: String) -> [String] {
        list(key).compactMap { $0.scalar?.string ?? wrong(key, $0, "a list of strings") }
    }
}
