package import Compatibility
import Tracking
import TrackingOptions

/// The document about where each thing of the five source documents is here, made from tables.
package enum SeedManual {
    /// A section and a table for each system, in Markdown.
    package static var text: String {
        OptionSystem.allCases.map { system in
            let header = [
                "## \(system.title)", "", "| it has | | here | what proves it |", "| --- | --- | --- | --- |",
            ]
            return (header + rows(of: system).map(line)).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    /// All rows about a system: first the names of the option table, then the rest.
    package static func rows(of system: OptionSystem) -> [SeedRow] {
        let options = TrackingOption.all.flatMap { option in
            option.names.filter { $0.system == system }.map { row(option, $0) }
        }
        switch system {
        case .radar: return options + SeedRow.radar
        case .transistor: return options + SeedRow.transistor
        case .trckr: return options + SeedRow.trckr
        case .geoManager: return options + SeedRow.geoManager
        case .ownTracks: return options + SeedRow.ownTracks
        }
    }

    private static func row(_ option: TrackingOption, _ name: ForeignName) -> SeedRow {
        var remarks = [AliasRemark.of(name.key, in: name.system), name.reading.inWords].filter { !$0.isEmpty }
        // Where the key is ours too, it has our unit everywhere else.
        if case .unit = name.reading, name.key == option.key { remarks.append("in its own section") }
        return SeedRow(
            kind: .option, name: name.key, here: [.option(option.key)],
            remark: remarks.joined(separator: "; "),
            proof: Proof.ofOption(option.key))
    }

    private static func line(_ row: SeedRow) -> String {
        let name = row.kind == .option || row.kind == .callback ? "`\(row.name)`" : row.name
        let text = row.here.isEmpty ? absence(of: row) : row.here.map(\.inWords).joined(separator: ", ")
        let separator = row.here.isEmpty ? ": " : "; "
        let place = row.remark.isEmpty ? text : text + separator + row.remark
        return "| \(cell(name)) | \(row.kind.rawValue) | \(cell(place)) | \(row.proof.map(link) ?? "") |"
    }

    private static func absence(of row: SeedRow) -> String {
        row.proof == nil || row.kind == .option ? "nothing" : "built in"
    }

    private static func link(_ proof: Proof) -> String {
        let suite = proof.file.split(separator: "/").last ?? ""
        return "[\(suite)](../Tests/\(proof.file).swift): \(cell(proof.test))"
    }

    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}

extension Counterpart {
    fileprivate var inWords: String {
        switch self {
        case .option(let key): "`\(key)`"
        case .profile(let name): "profile `\(name)`"
        case .command(let words): "`trackerd \(words)`"
        case .section(let key): "`\(key)` in the configuration"
        case .record(let kind): "record `\(kind.rawValue)`"
        case .function(let name): "function `\(name)`"
        }
    }
}

extension ForeignName.Reading {
    fileprivate var inWords: String {
        switch self {
        case .same, .together: ""
        case .unit(let unit, _): "in \(unit)"
        case .words(let pairs): pairs.map { "`\($0.foreign)` is `\($0.ours)`" }.joined(separator: ", ")
        }
    }
}
