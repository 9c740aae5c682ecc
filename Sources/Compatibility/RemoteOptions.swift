package import TrackingOptions

/// A server's options by environment, operating system and trip status. The most specific object that matches
/// applies as a whole: environment before operating system before trip status.
package struct RemoteOptions: Sendable, Hashable {
    package enum Environment: String, Sendable, Hashable, Codable, CaseIterable {
        case live
        case test
    }

    struct Object: Sendable, Hashable {
        var scope: Scope
        var assignments: [OptionAssignment]
    }

    /// Where an object applies; a property that is nil does not restrict it.
    struct Scope: Sendable, Hashable {
        var environment: Environment?
        var system: String?
        var onTrip: Bool?

        func matches(_ environment: Environment, isOnTrip: Bool) -> Bool {
            (self.environment ?? environment) == environment && (system ?? Self.ownSystem) == Self.ownSystem
                && (onTrip ?? isOnTrip) == isOnTrip
        }

        var rank: Int { (environment == nil ? 0 : 4) + (system == nil ? 0 : 2) + (onTrip == nil ? 0 : 1) }

        var name: String {
            let words = [environment?.rawValue, system, onTrip.map { $0 ? "onTrip" : "offTrip" }].compactMap { $0 }
            return words.isEmpty ? "all" : words.joined(separator: ".")
        }

        static let ownSystem = "linux"
    }

    var objects: [Object] = []
    /// Notes on keys without effect, and on wrong values that GeoManager's defaults replace.
    package private(set) var notes: [OptionError] = []
    private var hasOtherSystems = false
    /// An empty object removes the earlier options where it applies.
    private var hasEmptyObject = false

    /// Returns no layer, one layer, or two: one for trips and one for the time between them.
    package func layers(_ environment: Environment) -> [OptionLayer] {
        let (on, off) = (best(environment, isOnTrip: true), best(environment, isOnTrip: false))
        if on == off { return [on].compactMap { $0 }.map { layer($0, onTrip: nil) } }
        return [on.map { layer($0, onTrip: true) }, off.map { layer($0, onTrip: false) }].compactMap { $0 }
    }

    /// As `layers`, but throws if the document has options only for other environments or systems.
    package func layersForThisTracker(_ environment: Environment) throws(RemoteOptionsError) -> [OptionLayer] {
        let layers = layers(environment)
        guard layers.isEmpty, !hasEmptyObject, hasOtherSystems || !objects.isEmpty else { return layers }
        let text =
            "none of these options is for the environment `\(environment.rawValue)` and the system `linux` or `any`."
        throw RemoteOptionsError(problems: [OptionError(line: nil, text: text)])
    }

    private func best(_ environment: Environment, isOnTrip: Bool) -> Object? {
        objects.filter { $0.scope.matches(environment, isOnTrip: isOnTrip) }.max { $0.scope.rank < $1.scope.rank }
    }

    private func layer(_ object: Object, onTrip: Bool?) -> OptionLayer {
        OptionLayer(.remote, name: object.scope.name, onTrip: onTrip, object.assignments)
    }
}

extension RemoteOptions {
    /// The servers' present options, changed by those of this document.
    package func merged(over base: OptionBase, _ environment: Environment) -> [OptionLayer] {
        let (on, off) = (
            merged(over: base, environment, isOnTrip: true), merged(over: base, environment, isOnTrip: false)
        )
        if on == off { return [on].compactMap { $0 } }
        return [(on, true), (off, false)].compactMap { layer, isOnTrip in
            layer.map { OptionLayer(.remote, name: $0.name, onTrip: isOnTrip, $0.assignments) }
        }
    }

    private func merged(over base: OptionBase, _ environment: Environment, isOnTrip: Bool) -> OptionLayer? {
        let present = base.remote.last { $0.onTrip == nil || $0.onTrip == isOnTrip }
        guard let new = layers(environment).last(where: { $0.onTrip == nil || $0.onTrip == isOnTrip }) else {
            return present.map { OptionLayer(.remote, name: $0.name, $0.assignments) }
        }
        let (earlier, added) = (present?.assignments ?? [], new.assignments)
        let named = added.filter { !$0.isOfProfile }
        let mode = named.last { $0.key == OptionLayer.modeKey }?.value
        let profile: [OptionAssignment]
        if added.contains(where: \.isOfProfile) {
            profile = added.filter(\.isOfProfile)
        } else if mode == .choice(base.ownMode), base.ownMode != base.mode {
            // The server returns to the owner's mode, and the other mode's values end.
            profile = []
        } else {
            profile = earlier.filter(\.isOfProfile)
        }
        let remaining = earlier.filter { value in
            !value.isOfProfile && !named.contains { $0.key == value.key && ($0.mode == nil || $0.mode == value.mode) }
        }
        return OptionLayer(.remote, name: new.name, profile + remaining + named)
    }
}

/// The errors for which the whole document is refused.
package struct RemoteOptionsError: Error, Sendable, Hashable, CustomStringConvertible {
    package let problems: [OptionError]

    package var description: String { problems.map(\.text).joined(separator: "\n") }
}

extension RemoteOptions {
    /// Reads a document; an empty one removes all earlier remote options. If the document only sets single keys, `base`
    /// has the options in force, and sections have no defaults.
    package static func read(
        _ document: OptionTree, over base: OptionBase? = nil
    ) throws(RemoteOptionsError) -> RemoteOptions {
        var reader = Reader(base: base)
        reader.read(document, path: "remote", Scope(), Level.allCases[...])
        guard reader.problems.isEmpty else { throw RemoteOptionsError(problems: reader.problems) }
        return RemoteOptions(
            objects: reader.objects, notes: reader.notes, hasOtherSystems: reader.hasOtherSystems,
            hasEmptyObject: reader.hasEmptyObject)
    }

    /// The levels of the document; `words` distinguish the objects of a level.
    private enum Level: CaseIterable {
        case environment, system, tripStatus

        var words: [String] {
            switch self {
            case .environment: Environment.allCases.map(\.rawValue)
            case .system: [Scope.ownSystem, "any", "android", "ios"]
            case .tripStatus: ["onTrip", "offTrip", "any"]
            }
        }

        /// The scope of the object under a word; nil for another operating system, whose object may contain unknown
        /// keys.
        func narrow(_ scope: Scope, to word: String) -> Scope? {
            var narrowed = scope
            switch self {
            case .environment: narrowed.environment = Environment(rawValue: word)
            case .system where word == "any": break
            case .system where word != Scope.ownSystem: return nil
            case .system: narrowed.system = word
            case .tripStatus where word == "any": break
            case .tripStatus: narrowed.onTrip = word == "onTrip"
            }
            return narrowed
        }
    }

    private struct Reader {
        fileprivate let base: OptionBase?
        fileprivate var objects: [Object] = []
        fileprivate var problems: [OptionError] = []
        fileprivate var notes: [OptionError] = []
        fileprivate var hasOtherSystems = false
        fileprivate var hasEmptyObject = false

        mutating func read(_ tree: OptionTree, path: String, _ scope: Scope, _ levels: ArraySlice<Level>) {
            switch tree {
            case .empty: break
            case .mapping(let entries) where entries.isEmpty: hasEmptyObject = true
            case .mapping(let entries):
                // A document may leave a level out, so the keys belong to the first level whose words include one of
                // them.
                let depth = levels.firstIndex { level in entries.contains { level.words.contains($0.key) } }
                guard let depth else { return readObject(entries, path: path, scope) }
                for entry in entries { descend(entry, path: path, scope, levels, depth) }
            case .text, .list:
                problems.append(OptionError(line: nil, text: "`\(path)` must be an object; \(tree.quoted) is not."))
            }
        }

        private mutating func descend(
            _ entry: OptionTree.Entry, path: String, _ scope: Scope, _ levels: ArraySlice<Level>, _ depth: Int
        ) {
            let known = levels[depth].words
            guard known.contains(entry.key) else {
                let hint = Spelling.nearest(to: entry.key, among: known).map { "Did you mean `\($0)`?" }
                let text =
                    "`\(path).\(entry.key)` does not belong here. "
                    + (hint ?? "Known keys: \(known.joined(separator: ", ")).")
                problems.append(OptionError(line: entry.line, text: text))
                return
            }
            guard let narrow = levels[depth].narrow(scope, to: entry.key) else {
                if case .mapping(let entries) = entry.value, !entries.isEmpty { hasOtherSystems = true }
                return
            }
            read(entry.value, path: "\(path).\(entry.key)", narrow, levels[(depth + 1)...])
        }

        private mutating func readObject(_ entries: [OptionTree.Entry], path: String, _ scope: Scope) {
            // An object with the key `preset`, even with the value null, is from Radar's dashboard.
            let isRadar = entries.contains { $0.key == "preset" }
            let entries = isRadar ? [.init("radar", line: nil, .mapping(entries))] : entries
            let reading = OptionReader.read(entries, path: path, over: base) { _ in scope.name }
            problems += reading.problems
            notes += reading.notes
            objects.append(Object(scope: scope, assignments: reading.whole))
        }
    }
}
