import Quantities
import TrackingOptions

/// Another product's key for one of trackerd's options.
package struct ForeignName: Sendable, Hashable {
    package enum Reading: Sendable, Hashable {
        case same
        case words([Pair])
        /// A number in units of this many seconds.
        case unit(name: String, seconds: Double)
        /// Several keys set the value together.
        case together
    }

    package struct Pair: Sendable, Hashable {
        package let foreign: String
        package let ours: String
    }

    package let system: OptionSystem
    package let key: String
    package let option: String
    package let reading: Reading

    init(_ system: OptionSystem, _ key: String, means option: String, _ reading: Reading = .same) {
        self.system = system
        self.key = key
        self.option = option
        self.reading = reading
    }

    static func shared(_ system: OptionSystem, _ keys: [String]) -> [ForeignName] {
        keys.map { ForeignName(system, $0, means: $0) }
    }
}

extension ForeignName.Reading {
    static let minutes = Self.unit(name: "minutes", seconds: 60)
    static let milliseconds = Self.unit(name: "milliseconds", seconds: 0.001)

    static func words(_ pairs: KeyValuePairs<String, String>) -> Self {
        .words(pairs.map { ForeignName.Pair(foreign: $0.key, ours: $0.value) })
    }

    func expected(by kind: OptionKind) -> String {
        guard case (.unit(let name, let seconds), .duration(let range)) = (self, kind) else { return kind.expected }
        let bounds = [range.lowerBound, range.upperBound].map { bound in
            NumberText.write((bound.inSeconds / seconds * 1000).rounded() / 1000)
        }
        return "a number of \(name) from \(bounds.joined(separator: " to "))"
    }

    func value(of text: String, _ kind: OptionKind) -> OptionValue? {
        switch self {
        case .same, .together: return kind.value(of: text)
        case .words(let pairs):
            return kind.value(of: pairs.first { Word($0.foreign) == Word(text) }?.ours ?? text)
        case .unit(_, let seconds):
            guard let number = Double(text) else { return nil }
            let value = OptionValue.duration(Duration(inSeconds: number * seconds))
            return number >= 0 && kind.accepts(value) ? value : nil
        }
    }
}
