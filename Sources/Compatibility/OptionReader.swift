import Calendar
import TrackingOptions

/// Reads tracking options under trackerd's keys and those of other products.
///
/// A file may mix keys of all products. A product may use trackerd's key with another unit (Transistor's minutes and milliseconds);
/// its unit applies only in its own section, `transistor: {…}`.
package struct OptionReader {
    /// A value, and the key that set it.
    private struct Given {
        let assignment: OptionAssignment
        let name: String
        let line: Int?
    }

    private var path: String
    /// The product of the current section; nil outside of sections.
    private var system: OptionSystem?
    private let source: (Int?) -> String
    private var given: [Given] = []
    private var reading = OptionReading()
    private var sectionProfile: Profile?
    private var indicator = RadarIndicator()
    private var intervals = OwnTracksIntervals()

    /// Reads the entries under `path`, such as `tracking`; `source` describes where a line is, for messages.
    package static func read(
        _ entries: [OptionTree.Entry], path: String, source: (Int?) -> String
    ) -> OptionReading {
        withoutActuallyEscaping(source) { source in
            var reader = OptionReader(path: path, source: source)
            reader.read(entries)
            reader.finishParts()
            return reader.finish()
        }
    }

    private init(path: String, source: @escaping (Int?) -> String) {
        self.path = path
        self.source = source
    }

    private mutating func read(_ entries: [OptionTree.Entry]) {
        for entry in entries {
            switch OptionKey(entry.key, in: system) {
            case .option(let option, .together, let system): readPart(entry, option, of: system)
            case .option(let option, let way, _): read(entry, option, way)
            case .profile(let known): readProfile(entry, known)
            case .bubble(let isOn, let radius): readBubble(entry, isOn: isOn, radius: radius)
            case .section(let system): readSection(entry, system)
            case .group: readGroup(entry)
            case .withoutEffect(let other):
                let owner = system == nil ? "another system" : other.title
                note("is a key of \(owner) that has no effect on tracking.", entry)
            case nil: complain("is not an option.\(hint(entry.key))", entry)
            }
        }
    }

    private mutating func finish() -> OptionReading {
        // In Radar, a zero in either of the place rule's two numbers switches this rule off.
        if let distance = given.first(where: { $0.assignment.key == "stopDistance" }), distance.assignment.value.isZero
        {
            given.removeAll { $0.assignment.key == "stopDuration" }
            let off = OptionAssignment("stopDuration", .seconds(0), source: distance.assignment.source)
            given.append(Given(assignment: off, name: distance.name, line: distance.line))
        }
        reading.profile = reading.profile ?? sectionProfile
        reading.assignments = TrackingOption.all.compactMap { option in
            given.first { $0.assignment.key == option.key }?.assignment
        }
        return reading
    }
}

/// Reading values.
extension OptionReader {
    private mutating func read(_ entry: OptionTree.Entry, _ option: TrackingOption, _ way: ForeignName.Reading) {
        if case .mapping = entry.value, option.key.hasPrefix("use"), option.key.hasSuffix("Geofence") {
            let radius = option.key == "useStoppedGeofence" ? "stoppedGeofenceRadius" : "movingGeofenceRadius"
            return readBubble(entry, isOn: option.key, radius: radius)
        }
        if let value = value(entry, option.kind, way, isUntouchedByZero: option.isUntouchedByZero) {
            give(option.key, value, entry)
        }
    }

    /// Returns the value of an entry; nil if it is empty or wrong.
    ///
    /// A wrong value is reported.
    private mutating func value(
        _ entry: OptionTree.Entry, _ kind: OptionKind, _ way: ForeignName.Reading, isUntouchedByZero: Bool = false
    ) -> OptionValue? {
        switch entry.value {
        case .empty: return kind.accepts(.nothing) ? .nothing : nil
        case .text(let text):
            if let value = way.value(of: text, kind) { return value }
            if isUntouchedByZero, Double(text) == 0 { return .metres(0) }
        case .mapping(let parts):
            if kind == .timeOfDay, let time = TimeOfDay(geoTime: parts) { return .timeOfDay(time) }
        case .list: break
        }
        complain("must be \(way.expected(by: kind)); \(entry.value.quoted) is not.", entry)
        return nil
    }

    private mutating func give(_ key: String, _ value: OptionValue, _ entry: OptionTree.Entry) {
        guard let other = given.first(where: { $0.assignment.key == key }) else {
            let assignment = OptionAssignment(key, value, source: source(entry.line))
            given.append(Given(assignment: assignment, name: full(entry.key), line: entry.line))
            return
        }
        let place = other.line.map { " in line \($0)" } ?? ""
        complain("sets the same option as `\(other.name)`\(place). Keep one of them.", entry)
    }
}

/// Keys that belong together.
extension OptionReader {
    private mutating func readPart(_ entry: OptionTree.Entry, _ option: TrackingOption, of system: OptionSystem?) {
        if system == .radar {
            guard !indicator.read(entry) else { return }
            return complain("must be `true` or `false`; \(entry.value.quoted) is not.", entry)
        }
        let kind = entry.key == OwnTracksIntervals.peg ? .flag : option.kind
        guard let value = value(entry, kind, .same) else { return }
        intervals.read(entry, value)
    }

    /// Combines the keys that belong together, after all of them were read.
    private mutating func finishParts() {
        if let (entry, light) = indicator.result { give("indicator", .choice(light), entry) }
        let mode = given.first { $0.assignment.key == "monitoring" }?.assignment.value
        for (entry, key, value) in intervals.results(isMove: mode == .choice(MonitoringMode.move)) {
            give(key, value, entry)
        }
        indicator = RadarIndicator()
        intervals = OwnTracksIntervals()
    }

    /// Reads Radar's newer form of a bubble, `{enabled, radius}`.
    private mutating func readBubble(_ entry: OptionTree.Entry, isOn: String, radius: String) {
        guard case .mapping(let parts) = entry.value else {
            return complain("must be an object such as {enabled: true, radius: 100}.", entry)
        }
        for part in parts {
            let target = part.key == "enabled" ? isOn : part.key == "radius" ? radius : nil
            let inner = OptionTree.Entry("\(entry.key).\(part.key)", line: part.line, part.value)
            guard let option = target.flatMap(TrackingOption.named) else {
                complain("is not an option. Known here: enabled, radius.", inner)
                continue
            }
            let value = value(inner, option.kind, .same, isUntouchedByZero: option.isUntouchedByZero)
            if let value { give(option.key, value, inner) }
        }
    }
}

/// Profiles and sections.
extension OptionReader {
    private mutating func readProfile(_ entry: OptionTree.Entry, _ known: [String]) {
        if entry.value == .empty { return }
        guard case .text(let name) = entry.value, known.contains(name), let profile = Profile.named(name) else {
            return complain("must be one of \(known.joined(separator: ", ")); \(entry.value.quoted) is not.", entry)
        }
        if reading.profile != nil { return complain("sets a second profile. Keep one of them.", entry) }
        reading.profile = profile
    }

    /// Reads the options object of one product; the product's profile applies if the object sets none.
    private mutating func readSection(_ entry: OptionTree.Entry, _ system: OptionSystem) {
        guard case .mapping(let parts) = entry.value else {
            return complain("must be an options object of \(system.title); \(entry.value.quoted) is not.", entry)
        }
        let outer = (path, self.system)
        (path, self.system) = (full(entry.key), system)
        if system == .geoManager {
            readGeoManager(parts)
        } else {
            read(parts)
        }
        finishParts()
        sectionProfile = sectionProfile ?? profile(of: system)
        (path, self.system) = outer
    }

    /// Returns the profile that tracks like the product.
    private func profile(of system: OptionSystem) -> Profile? {
        switch system {
        case .radar: return nil
        case .transistor: return .motion
        case .trckr: return .trckr
        case .geoManager: return .interval
        case .ownTracks:
            let given = given.first { $0.assignment.key == "monitoring" }?.assignment.value
            // The default in OwnTracks itself is significant.
            return .of(MonitoringMode.allCases.first { .choice($0) == given } ?? .significant)
        }
    }

    private mutating func readGeoManager(_ parts: [OptionTree.Entry]) {
        for part in parts where OptionKey(part.key, in: .geoManager) == nil {
            complain("is not an option.\(hint(part.key))", part)
        }
        let result = GeoManagerConfiguration.read(parts)
        for (key, value, line) in result.values { give(key, value, .init(key, line: line, .empty)) }
        for (text, part) in result.warnings { note(text, part) }
    }

    private mutating func readGroup(_ entry: OptionTree.Entry) {
        guard case .mapping(let parts) = entry.value else {
            return complain("must be an object; \(entry.value.quoted) is not.", entry)
        }
        read(parts)
    }
}

/// Messages.
extension OptionReader {
    private func full(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    private mutating func complain(_ text: String, _ entry: OptionTree.Entry) {
        reading.problems.append(OptionError(line: entry.line, text: "`\(full(entry.key))` \(text)"))
    }

    private mutating func note(_ text: String, _ entry: OptionTree.Entry) {
        reading.notes.append(OptionError(line: entry.line, text: "`\(full(entry.key))` \(text)"))
    }

    private func hint(_ key: String) -> String {
        let known = OptionKey.known(in: system)
        if let near = Spelling.nearest(to: key, among: known) { return " Did you mean `\(near)`?" }
        guard system == nil else { return " Known here: \(Set(known).sorted().joined(separator: ", "))." }
        return " `trackerd profiles vehicle` lists all options."
    }
}
