package import Compatibility
import Quantities
import Tracking

/// JSON of a client, read as the configuration is: texts under keys, whatever they were before.
package struct JSONTree: Sendable, Hashable, Codable {
    /// What was read.
    package let tree: OptionTree

    /// Wraps what is to be written.
    package init(_ tree: OptionTree) { self.tree = tree }

    /// Reads any JSON; the keys of an object are put in order, since JSON gives them none.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            tree = .empty
        } else if let text = try? container.decode(String.self) {
            tree = .text(text)
        } else if let number = try? container.decode(Int64.self) {
            tree = .text("\(number)")
        } else if let number = try? container.decode(Double.self) {
            tree = .text(NumberText.write(number))
        } else if let flag = try? container.decode(Bool.self) {
            tree = .text("\(flag)")
        } else if let object = try? container.decode([String: JSONTree].self) {
            tree = .mapping(object.sorted { $0.key < $1.key }.map { .init($0.key, line: nil, $0.value.tree) })
        } else {
            tree = .list
        }
    }

    /// Writes texts as texts; who reads them again does not mind.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch tree {
        case .empty: try container.encodeNil()
        case .text(let text): try container.encode(text)
        case .list: try container.encode([String]())
        case .mapping(let entries):
            let object = entries.map { ($0.key, JSONTree($0.value)) }
            try container.encode(Dictionary(object) { _, last in last })
        }
    }
}
