import Quantities
package import TrackingOptions

/// What another system calls an option of ours, and how its values are to be read.
package struct ForeignName: Sendable, Hashable {
    /// How a value becomes one of ours.
    package enum Reading: Sendable, Hashable {
        /// It is written as ours is.
        case same
        /// Some words or numbers mean some of ours; the others are written as ours are.
        case words([Pair])
        /// A bare number, in a unit that is so many seconds.
        case unit(name: String, seconds: Double)
        /// Several keys together make up the value.
        case together
    }

    /// A word of the other system, and ours.
    package struct Pair: Sendable, Hashable {
        /// The word of the other system.
        package let foreign: String
        /// Ours.
        package let ours: String
    }

    /// The product that uses the key.
    package let system: OptionSystem
    /// The product's key.
    package let key: String
    /// Our key.
    package let option: String
    /// How values under the product's key are read.
    package let reading: Reading

    /// Names a key of a product, and the option that it means.
    init(_ system: OptionSystem, _ key: String, means option: String, _ reading: Reading = .same) {
        self.system = system
        self.key = key
        self.option = option
        self.reading = reading
    }

    /// Keys that a product and we have in common, with values in the same units.
    static func shared(_ system: OptionSystem, _ keys: [String]) -> [ForeignName] {
        keys.map { ForeignName(system, $0, means: $0) }
    }
}

extension ForeignName {
    /// The keys of all products.
    package static let all = radar + transistor + trckr + geoManager + ownTracks
}

extension TrackingOption {
    /// What the option is called elsewhere.
    package var names: [ForeignName] { ForeignName.all.filter { $0.option == key } }
}

extension ForeignName.Reading {
    static let minutes = Self.unit(name: "minutes", seconds: 60)
    static let milliseconds = Self.unit(name: "milliseconds", seconds: 0.001)

    /// Words of the other system in front of ours.
    static func words(_ pairs: KeyValuePairs<String, String>) -> Self {
        .words(pairs.map { ForeignName.Pair(foreign: $0.key, ours: $0.value) })
    }

    /// What a value must be, in words that follow "must be".
    func expected(by kind: OptionKind) -> String {
        guard case (.unit(let name, let seconds), .duration(let range)) = (self, kind) else { return kind.expected }
        let bounds = [range.lowerBound, range.upperBound].map { bound in
            NumberText.write((bound.inSeconds / seconds * 1000).rounded() / 1000)
        }
        return "a number of \(name) from \(bounds.joined(separator: " to "))"
    }

    /// The value in our terms; nothing when it is none.
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
