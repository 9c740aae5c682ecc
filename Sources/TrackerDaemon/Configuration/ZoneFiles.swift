package import Calendar
import FoundationEssentials
import Tracking
import TrackingOptions
import Yams

/// The time zones of the system: files of the tz database.
package struct ZoneFiles: Sendable {
    /// Where they lie, each under its name.
    var folder = "/usr/share/zoneinfo"
    /// The one that the computer lives in.
    var local = "/etc/localtime"

    /// Finds the files where the system has them.
    package init() {}

    init(local: String) { self.local = local }

    /// The zone of this process: the one that the variable `TZ` names as in tzset(3), or else that of the computer.
    ///
    /// UTC if there is none, or it cannot be read.
    package func current(_ variable: String?) -> TimeZoneRules {
        guard let variable else { return zone(at: local) ?? .utc }
        let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
        if name.isEmpty { return .utc }
        return zone(at: name.hasPrefix("/") ? name : "\(folder)/\(name)") ?? TimeZoneRules(posix: name) ?? .utc
    }

    private func zone(at path: String) -> TimeZoneRules? {
        FileManager.default.contents(atPath: path).flatMap { try? TimeZoneRules(zoneFile: [UInt8]($0)) }
    }

    /// Reads the zone that `timeZone` names, or that of the computer; the reason when it cannot be read is noted.
    func read(_ file: inout MappingReader, notes: inout [ConfigurationError.Problem]) -> TimeZoneRules {
        guard let name = file.string("timeZone"), let node = file.child("timeZone") else {
            return readLocal(file.problems, notes: &notes)
        }
        let path = "\(folder)/\(name)"
        guard Self.isName(name), let data = FileManager.default.contents(atPath: path) else {
            let zone: TimeZoneRules? = file.wrong("timeZone", node, "a zone such as `Europe/Berlin`", hint: hint(name))
            return zone ?? .utc
        }
        do throws(TimeZoneFileError) {
            return try TimeZoneRules(zoneFile: [UInt8](data))
        } catch {
            file.problems.add("`timeZone`: \(path): \(error)", at: node)
            return .utc
        }
    }

    /// A computer without a zone uses UTC, as for every program on it; a note reports that.
    private func readLocal(_ problems: ProblemList, notes: inout [ConfigurationError.Problem]) -> TimeZoneRules {
        guard let data = FileManager.default.contents(atPath: local) else {
            let text = "`timeZone` is missing, and so is \(local): times of day are read in UTC. Name a zone."
            notes.append(.init(file: problems.file, line: nil, text: text))
            return .utc
        }
        do throws(TimeZoneFileError) {
            return try TimeZoneRules(zoneFile: [UInt8](data))
        } catch {
            problems.add("`timeZone` is missing, and \(local): \(error)", line: nil)
            return .utc
        }
    }

    private func hint(_ name: String) -> String {
        let area = name.lastIndex(of: "/").map { String(name[...$0]) } ?? ""
        let names = try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(area)")
        let zones = (Self.isName(name) ? names ?? [] : []).map { area + $0 }.sorted()
        if let near = Spelling.nearest(to: name, among: zones) { return " Did you mean `\(near)`?" }
        return FileManager.default.fileExists(atPath: folder)
            ? " The zones are in \(folder)." : " There are none in \(folder): install the package tzdata."
    }

    /// Whether a text names a file below the folder, and none elsewhere.
    private static func isName(_ text: String) -> Bool {
        !text.hasPrefix("/") && !text.split(separator: "/").contains("..")
    }
}
