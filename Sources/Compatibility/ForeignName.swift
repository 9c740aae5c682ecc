import Quantities
package import TrackingOptions

/// Another product's key for one of trackerd's options, and how trackerd reads its values.
package struct ForeignName: Sendable, Hashable {
    /// How a value of the product becomes a value of trackerd.
    package enum Reading: Sendable, Hashable {
        /// The product writes values as trackerd does.
        case same
        /// trackerd translates these words or numbers; the product writes all others as trackerd does.
        case words([Pair])
        /// A number in a unit of this many seconds.
        case unit(name: String, seconds: Double)
        /// Several keys together set the value.
        case together
    }

    /// A word of the product, and trackerd's word for it.
    package struct Pair: Sendable, Hashable {
        /// The word of the product.
        package let foreign: String
        /// trackerd's word.
        package let ours: String
    }

    /// The product that uses the key.
    package let system: OptionSystem
    /// The product's key.
    package let key: String
    /// trackerd's key.
    package let option: String
    /// How trackerd reads values under the product's key.
    package let reading: Reading

    /// Makes the product's key for one of trackerd's options.
    init(_ system: OptionSystem, _ key: String, means option: String, _ reading: Reading = .same) {
        self.system = system
        self.key = key
        self.option = option
        self.reading = reading
    }

    /// Returns keys that the product shares with trackerd, with values in the same units.
    static func shared(_ system: OptionSystem, _ keys: [String]) -> [ForeignName] {
        keys.map { ForeignName(system, $0, means: $0) }
    }
}

extension ForeignName {
    /// The keys of all products.
    package static let all = radar + transistor + trckr + geoManager + ownTracks
}

extension TrackingOption {
    /// The keys of other products for the option.
    package var names: [ForeignName] { ForeignName.all.filter { $0.option == key } }
}

extension ForeignName.Reading {
    static let minutes = Self.unit(name: "minutes", seconds: 60)
    static let milliseconds = Self.unit(name: "milliseconds", seconds: 0.001)

    /// Returns a reading that translates each of the product's words to trackerd's word.
    static func words(_ pairs: KeyValuePairs<String, String>) -> Self {
        .words(pairs.map { ForeignName.Pair(foreign: $0.key, ours: $0.value) })
    }

    /// Returns what a value must be, in words that follow "must be".
    func expected(by kind: OptionKind) -> String {
        guard case (.unit(let name, let seconds), .duration(let range)) = (self, kind) else { return kind.expected }
        let bounds = [range.lowerBound, range.upperBound].map { bound in
            NumberText.write((bound.inSeconds / seconds * 1000).rounded() / 1000)
        }
        return "a number of \(name) from \(bounds.joined(separator: " to "))"
    }

    /// Returns the value as trackerd stores it; nil if the text is not a valid value.
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
