package import Calendar
import FoundationEssentials
import TrackingOptions

package struct ZoneFiles: Sendable {
    /// The folder in which each file has the name of its zone.
    package var folder = "/usr/share/zoneinfo"
    package var local: String

    package init(local: String = "/etc/localtime") { self.local = local }

    /// The zone in `TZ`, or without it the computer's; UTC if `TZ` is empty or names no zone. `TZ` has the name or path
    /// of a zone file, or a POSIX rule (tzset(3)).
    package func current(_ variable: String?) -> TimeZoneRules {
        guard let variable else { return zone(at: local) ?? .utc }
        let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
        if name.isEmpty { return .utc }
        return zone(at: name.hasPrefix("/") ? name : "\(folder)/\(name)") ?? TimeZoneRules(posix: name) ?? .utc
    }

    private func zone(at path: String) -> TimeZoneRules? {
        FileManager.default.contents(atPath: path).flatMap { try? TimeZoneRules(zoneFile: [UInt8]($0)) }
    }

    func read(_ file: inout MappingReader, notes: inout [ConfigurationError.Problem]) -> TimeZoneRules {
        guard let name = file.string("timeZone"), let node = file.child("timeZone") else {
            return readLocal(file.problems, notes: &notes)
        }
        let path = "\(folder)/\(name)"
        guard Self.isName(name), let data = FileManager.default.contents(atPath: path) else {
            return file.wrong("timeZone", node, "a zone such as `Europe/Berlin`", hint: hint(name)) ?? .utc
        }
        return rules(in: data) { file.problems.add("`timeZone`: \(path): \($0)", at: node) }
    }

    /// If the file is missing, all programs of the computer use UTC, and so does trackerd, with a note.
    private func readLocal(_ problems: ProblemList, notes: inout [ConfigurationError.Problem]) -> TimeZoneRules {
        guard let data = FileManager.default.contents(atPath: local) else {
            let text = "`timeZone` and \(local) are missing, so trackerd reads times of day in UTC. Set `timeZone`."
            notes.append(.init(file: problems.file, line: nil, text: text))
            return .utc
        }
        return rules(in: data) {
            problems.add(
                "`timeZone` is missing, so trackerd reads the computer's time zone. \(local): \($0)", line: nil)
        }
    }

    /// Returns UTC after an error in the file, which `report` receives.
    private func rules(in data: Data, report: (TimeZoneFileError) -> Void) -> TimeZoneRules {
        do throws(TimeZoneFileError) {
            return try TimeZoneRules(zoneFile: [UInt8](data))
        } catch {
            report(error)
            return .utc
        }
    }

    private func hint(_ name: String) -> String {
        let area = name.lastIndex(of: "/").map { String(name[...$0]) } ?? ""
        let names = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(area)")
        let zones = (Self.isName(name) ? names ?? [] : []).map { area + $0 }.sorted()
        if let near = Spelling.nearest(to: name, among: zones) { return " Did you mean `\(near)`?" }
        return FileManager.default.fileExists(atPath: folder)
            ? " The zones are in \(folder)." : " \(folder) does not exist. Install the package tzdata."
    }

    private static func isName(_ text: String) -> Bool {
        !text.hasPrefix("/") && !text.split(separator: "/").contains("..")
    }
}
