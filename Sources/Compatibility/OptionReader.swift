package import TrackingOptions

/// Reads trackerd's own keys, and the options objects of other products in their sections. There only that product's
/// names, spellings, units and defaults apply. Outside of the sections, a key of another product is an error, which
/// names the section to use.
package struct OptionReader {
    private struct Given {
        let assignment: OptionAssignment
        let name: String
        let line: Int?
    }

    private var path: String
    /// The product of the section; nil outside of sections.
    private var system: OptionSystem?
    private var platform = OptionPlatform.ios
    private let source: (Int?) -> String
    /// The options in force, if the entries only set single keys; nil if they replace options.
    private let base: OptionBase?
    private var given: [Given] = []
    private var reading = OptionReading()
    private var section: OptionTree.Entry?
    private var sectionProfile: Profile?
    private var indicator = RadarIndicator()
    private var locator = OwnTracksLocator()

    /// Reads entries. `path` is their key, such as `tracking`, and `source` returns the place of a line for messages.
    /// With `base`, a section sets only its keys, without its product's defaults.
    package static func read(
        _ entries: [OptionTree.Entry], path: String, over base: OptionBase? = nil, source: (Int?) -> String
    ) -> OptionReading {
        withoutActuallyEscaping(source) { source in
            var reader = OptionReader(path: path, base: base, source: source)
            reader.read(entries)
            return reader.finish()
        }
    }

    private init(path: String, base: OptionBase?, source: @escaping (Int?) -> String) {
        self.path = path
        self.base = base
        self.source = source
    }

    private mutating func read(_ entries: [OptionTree.Entry]) {
        for entry in entries {
            switch OptionKey(entry.key, in: system) {
            case .option(let option, let way): read(entry, option, way)
            case .part(let option, let way): readPart(entry, option, way)
            case .profile: readProfile(entry)
            case .preset: readPreset(entry)
            // `readSection` has already read this key.
            case .platform: break
            case .bubble(let isOn, let radius): readBubble(entry, isOn: isOn, radius: radius)
            case .trackingEnabled: readTrackingEnabled(entry)
            case .section(let system): readSection(entry, system)
            case .group: readGroup(entry)
            case .withoutEffect(let other): note("is a key of \(other.title) that has no effect on tracking.", entry)
            case .foreign(let owners): report(Self.place(of: entry.key, in: owners), entry)
            case nil: report("is not an option.\(hint(entry.key))", entry)
            }
        }
    }

    private mutating func finish() -> OptionReading {
        reading.profile = reading.profile ?? sectionProfile
        reading.assignments = TrackingOption.all.flatMap { option in
            given.map(\.assignment).filter { $0.key == option.key }
        }
        return reading
    }
}

extension OptionReader {
    private mutating func read(_ entry: OptionTree.Entry, _ option: TrackingOption, _ way: ForeignName.Reading) {
        if system == .radar, case .mapping = entry.value, option.key.hasPrefix("use"), option.key.hasSuffix("Geofence")
        {
            let radius = option.key == "useStoppedGeofence" ? "stoppedGeofenceRadius" : "movingGeofenceRadius"
            return readBubble(entry, isOn: option.key, radius: radius)
        }
        if let value = value(entry, option.kind, way) { give(option.key, value, entry) }
    }

    /// Reads a value and reports a wrong one; nil also for an empty entry of an option that needs a value.
    private mutating func value(
        _ entry: OptionTree.Entry, _ kind: OptionKind, _ way: ForeignName.Reading
    ) -> OptionValue? {
        switch entry.value {
        case .empty: return kind.accepts(.nothing) ? .nothing : nil
        case .text(let text): if let value = way.value(of: text, kind) { return value }
        case .mapping, .list: break
        }
        report("must be \(way.expected(by: kind)); \(entry.value.quoted) is not.", entry)
        return nil
    }

    private mutating func give(
        _ key: String, _ value: OptionValue, _ entry: OptionTree.Entry, in mode: MonitoringMode? = nil
    ) {
        let assignment = OptionAssignment(key, value, source: source(entry.line), in: mode)
        let present = self.mode
        let others = given.map(\.assignment).filter { $0.contradicts(assignment) }
        // A value for another mode than the section's yields to one for all modes.
        if let mode, mode != present, others.contains(where: { $0.mode == nil }) { return }
        if mode == nil {
            let yielding = others.filter { $0.mode != nil && $0.mode != present }
            given.removeAll { yielding.contains($0.assignment) }
        }
        guard let other = given.first(where: { $0.assignment.contradicts(assignment) }) else {
            given.append(Given(assignment: assignment, name: full(entry.key), line: entry.line))
            return
        }
        let place = other.line.map { " in line \($0)" } ?? ""
        report("sets the same option as `\(other.name)`\(place). Keep one of them.", entry)
    }
}

extension OptionAssignment {
    /// Whether both set the same option in one mode.
    func contradicts(_ other: OptionAssignment) -> Bool {
        key == other.key && (mode == other.mode || mode == nil || other.mode == nil)
    }
}

extension OptionReader {
    private mutating func readPart(
        _ entry: OptionTree.Entry, _ option: TrackingOption, _ way: ForeignName.Reading
    ) {
        if system == .radar {
            guard !indicator.read(entry) else { return }
            return report("must be `true` or `false`; \(entry.value.quoted) is not.", entry)
        }
        let kind = entry.key == OwnTracksLocator.peg ? .flag : option.kind
        if let value = value(entry, kind, way) { locator.read(entry, value) }
    }

    private mutating func finishParts() {
        if let (entry, light) = indicator.result { give("indicator", .choice(light), entry) }
        for mode in [MonitoringMode.significant, .move] {
            for (entry, key, value) in locator.result(in: mode, on: platform).values {
                give(key, value, entry, in: mode)
            }
        }
        for entry in locator.result(in: mode, on: platform).ignored {
            note("has no effect in OwnTracks' mode \(mode.name) on \(platform.title).", entry)
        }
    }

    /// The mode of this section; without one, the mode in force, and otherwise OwnTracks' default, `significant`.
    private var mode: MonitoringMode {
        let value = given.first { $0.assignment.key == "monitoring" }?.assignment.value
        return MonitoringMode.allCases.first { .choice($0) == value } ?? base?.mode ?? .significant
    }

    private mutating func readBubble(_ entry: OptionTree.Entry, isOn: String, radius: String) {
        guard case .mapping(let parts) = entry.value else {
            return report("must be an object such as {enabled: true, radius: 100}.", entry)
        }
        for part in parts {
            let target = part.key == "enabled" ? isOn : part.key == "radius" ? radius : nil
            let inner = OptionTree.Entry("\(entry.key).\(part.key)", line: part.line, part.value)
            guard let option = target.flatMap(TrackingOption.named) else {
                report("is not an option. Known keys: enabled, radius.", inner)
                continue
            }
            if let value = value(inner, option.kind, .same) { give(option.key, value, inner) }
        }
    }

    /// Reads Trckr's switch: a flag, or the fields of a schedule as in an example of Trckr's documentation.
    private mutating func readTrackingEnabled(_ entry: OptionTree.Entry) {
        guard case .text(let text) = entry.value, let option = TrackingOption.named("trackingSchedule") else { return }
        if let isOn = OptionKind.flag.value(of: text) {
            guard isOn == .flag(false) else { return }
            note("does not switch tracking off; `trackerd tracking stop` does.", entry)
        } else if let value = option.kind.value(of: text) {
            give(option.key, value, entry)
        } else {
            let known = "`true`, `false` or the fields of a schedule, such as `* 10-20 * * 1-5`"
            report("must be \(known); \(entry.value.quoted) is not.", entry)
        }
    }
}

extension OptionReader {
    private mutating func readProfile(_ entry: OptionTree.Entry) {
        if entry.value == .empty { return }
        guard case .text(let name) = entry.value, let profile = Profile.named(name) else {
            let known = Profile.all.map(\.name).joined(separator: ", ")
            return report("must be one of \(known); \(entry.value.quoted) is not.", entry)
        }
        reading.profile = profile
    }

    private mutating func readPreset(_ entry: OptionTree.Entry) {
        if entry.value == .empty { return }
        guard case .text(let text) = entry.value, let preset = RadarPreset(text) else {
            let known = RadarPreset.Name.allCases.map(\.rawValue).joined(separator: ", ")
            return report("must be one of \(known); \(entry.value.quoted) is not.", entry)
        }
        sectionProfile = preset.profile(on: platform)
    }

    /// Reads a section; the product's defaults apply if no profile and no preset is set.
    private mutating func readSection(_ entry: OptionTree.Entry, _ system: OptionSystem) {
        guard case .mapping(let written) = entry.value else {
            return report("must be an options object of \(system.title); \(entry.value.quoted) is not.", entry)
        }
        if let section {
            return report("is a second section beside `\(full(section.key))`. Keep one of them.", entry)
        }
        section = entry
        let outer = path
        (path, self.system) = (full(entry.key), system)
        let parts = written.map(\.withoutNil)
        platform = platform(of: parts, in: system)
        if system == .geoManager {
            readGeoManager(parts)
        } else {
            read(parts)
        }
        finishParts()
        sectionProfile = sectionProfile ?? defaults(of: system)
        (path, self.system) = (outer, nil)
    }

    /// The profile for the keys that the section leaves out; nil if they do not change.
    private func defaults(of system: OptionSystem) -> Profile? {
        guard let base else { return .defaults(of: system, in: mode, on: platform) }
        return base.profile(of: system, in: mode, on: platform)
    }

    private mutating func platform(of parts: [OptionTree.Entry], in system: OptionSystem) -> OptionPlatform {
        if let entry = parts.first(where: { $0.key == "platform" }), OptionKey(entry.key, in: system) != nil {
            if case .text(let text) = entry.value, let named = OptionPlatform(rawValue: text) { return named }
            let known = OptionPlatform.allCases.map(\.rawValue).joined(separator: ", ")
            report("must be one of \(known); \(entry.value.quoted) is not.", entry)
        }
        if system == .radar, case .text(let text)? = parts.first(where: { $0.key == "preset" })?.value,
            let platform = RadarPreset(text)?.platform
        {
            return platform
        }
        let named = system.platform(of: parts)
        return system == .ownTracks && named == .ios ? base?.platform ?? .ios : named
    }

    private mutating func readGeoManager(_ parts: [OptionTree.Entry]) {
        for part in parts where OptionKey(part.key, in: .geoManager) == nil {
            report("is not an option.\(hint(part.key))", part)
        }
        let result = GeoManagerConfiguration.read(parts)
        for (key, value, line) in result.values { give(key, value, .init(key, line: line, .empty)) }
        for (text, part) in result.warnings { note(text, part) }
    }

    private mutating func readGroup(_ entry: OptionTree.Entry) {
        guard case .mapping(let parts) = entry.value else {
            return report("must be an object; \(entry.value.quoted) is not.", entry)
        }
        let outer = path
        path = full(entry.key)
        read(parts)
        path = outer
    }
}

extension OptionReader {
    private func full(_ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    private mutating func report(_ text: String, _ entry: OptionTree.Entry) {
        reading.problems.append(OptionError(line: entry.line, text: "`\(full(entry.key))` \(text)"))
    }

    private mutating func note(_ text: String, _ entry: OptionTree.Entry) {
        reading.notes.append(OptionError(line: entry.line, text: "`\(full(entry.key))` \(text)"))
    }

    private static func place(of key: String, in owners: [OptionSystem]) -> String {
        let titles = owners.map(\.title).joined(separator: ", ")
        let sections = owners.map { "`\($0.rawValue): {\(key): …}`" }.joined(separator: " or ")
        return "is a key of \(titles). Write it in the section of that system: \(sections)."
    }

    private func hint(_ key: String) -> String {
        let known = OptionKey.known(in: system)
        if let near = Spelling.nearest(to: key, among: known) { return " Did you mean `\(near)`?" }
        guard system == nil else { return " Known keys: \(Set(known).sorted().joined(separator: ", "))." }
        return " `trackerd profiles vehicle` lists all options."
    }
}

/// The options in force, of which a server changes single keys.
package struct OptionBase: Sendable, Hashable {
    let mode: MonitoringMode
    /// The mode that applies without servers' options.
    let ownMode: MonitoringMode
    /// OwnTracks' modes have the values of this platform.
    let platform: OptionPlatform
    let remote: [OptionLayer]

    package init(_ layers: OptionLayers) {
        var owned = layers
        owned.replace(.remote, with: [])
        mode = layers.resolve(isOnTrip: false).options.monitoring
        ownMode = owned.resolve(isOnTrip: false).options.monitoring
        platform = layers.usesOwnTracksOnAndroid ? .android : .ios
        remote = layers.layers.filter { $0.origin == .remote }
    }

    /// The profile that a section sets without naming one: OwnTracks' key `monitoring` selects a mode with all its
    /// values. Nil if only single keys change.
    func profile(of system: OptionSystem, in mode: MonitoringMode, on platform: OptionPlatform) -> Profile? {
        guard system == .ownTracks, mode != self.mode, mode != ownMode else { return nil }
        return .of(mode, on: platform)
    }
}
