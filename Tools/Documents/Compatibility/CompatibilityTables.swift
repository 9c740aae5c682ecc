package import Tracking

/// The tables of docs/compatibility.md: the features of other products and their counterparts in trackerd.
package enum CompatibilityTables {
    /// A section with a table for each product, in Markdown.
    package static var text: String {
        OptionSystem.allCases.map { system in
            let header = ["## \(system.title)", "", "| feature | kind | in trackerd |", "| --- | --- | --- |"]
            return (header + rows(of: system).map(line)).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    /// All rows of a product: first its names in the option table, then the rest.
    package static func rows(of system: OptionSystem) -> [CompatibilityRow] {
        let options = TrackingOption.all.flatMap { option in
            option.names.filter { $0.system == system }.map { row(option, $0) }
        }
        switch system {
        case .radar: return options + CompatibilityRow.radar
        case .transistor: return options + CompatibilityRow.transistor
        case .trckr: return options + CompatibilityRow.trckr
        case .geoManager: return options + CompatibilityRow.geoManager
        case .ownTracks: return options + CompatibilityRow.ownTracks
        }
    }

    private static func row(_ option: TrackingOption, _ name: ForeignName) -> CompatibilityRow {
        var remarks = [AliasRemark.of(name.key, in: name.system), name.reading.text].filter { !$0.isEmpty }
        // A key that the product and trackerd share has trackerd's unit outside of the product's section.
        if case .unit = name.reading, name.key == option.key { remarks.append("in its own section") }
        return .option(name.key, [.option(option.key)], remarks.joined(separator: "; "))
    }

    private static func line(_ row: CompatibilityRow) -> String {
        let name = row.kind == .option || row.kind == .callback ? "`\(row.name)`" : row.name
        let here = row.here.isEmpty ? "no counterpart" : row.here.map(\.text).joined(separator: ", ")
        let separator = row.here.isEmpty || row.here == [.builtIn] ? ": " : "; "
        let place = row.remark.isEmpty ? here : here + separator + row.remark
        return "| \(cell(name)) | \(row.kind.rawValue) | \(cell(place)) |"
    }

    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}

extension CompatibilityRow.Counterpart {
    fileprivate var text: String {
        switch self {
        case .option(let key): "`\(key)`"
        case .profile(let name): "profile `\(name)`"
        case .command(let words): "`trackerd \(words)`"
        case .section(let key): "`\(key)` in the configuration"
        case .record(let kind): "record `\(kind.rawValue)`"
        case .function(let name): "function `\(name)`"
        case .builtIn: "built in"
        }
    }
}

extension ForeignName.Reading {
    fileprivate var text: String {
        switch self {
        case .same, .together: ""
        case .unit(let unit, _): "in \(unit)"
        case .words(let pairs): pairs.map { "`\($0.foreign)` is `\($0.ours)`" }.joined(separator: ", ")
        }
    }
}
