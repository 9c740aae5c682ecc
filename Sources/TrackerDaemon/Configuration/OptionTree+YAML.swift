import Compatibility
import Tracking
import Yams

extension OptionTree {
    /// Takes a node of YAML, or of JSON, which is YAML.
    ///
    /// Deeper than an options object ever is nothing is read: an alias may stand for much more than was written.
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
