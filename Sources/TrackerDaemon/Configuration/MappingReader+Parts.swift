import Hardware
import Yams

extension MappingReader {
    /// What becomes of a part that may be missing: `none` takes it away, a mapping makes or changes it.
    mutating func part<Part>(
        _ key: String, now: Part?, _ body: (inout MappingReader, Part?) -> Part?
    ) -> Part? {
        either(key, now: now) { $0.mapping(key) { body(&$0, now) } }
    }

    /// What becomes of a value that may be missing: `none` takes it away.
    mutating func either<Value>(
        _ key: String, now: Value?, _ body: (inout MappingReader) -> Value?
    ) -> Value? {
        guard let node = child(key) else { return now }
        return node.scalar?.string == "none" ? nil : body(&self)
    }

    /// The path of a device.
    mutating func device(_ key: String) -> String? {
        guard let path = string(key), let node = child(key) else { return nil }
        return path.hasPrefix("/dev/") ? path : wrong(key, node, "the path of a device, such as `/dev/i2c-1`")
    }

    /// A line, by name or number.
    mutating func line(_ key: String) -> LineReference.Line? {
        guard let text = string(key), let node = child(key) else { return nil }
        guard let number = Int(text) else { return .name(text) }
        return number >= 0 ? .offset(number) : wrong(key, node, "the name of a line, or its number from 0")
    }

    /// The texts of a list.
    mutating func texts(_ key: String) -> [String] {
        list(key).compactMap { $0.scalar?.string ?? wrong(key, $0, "a list of texts") }
    }
}
