package import Hardware
import Quantities

/// The doctor's findings, and whether the tracker can work.
package struct Examination: Sendable, Hashable {
    /// A finding, and the check that produced it.
    package struct Entry: Sendable, Hashable {
        package let check: String
        /// Whether a fault of this check prevents tracking.
        package let isVital: Bool
        package let finding: Finding
    }

    /// All findings, in the order of the checks.
    package let entries: [Entry]

    /// Judges the facts with all checks.
    package init(of facts: Facts) {
        entries = Check.all.flatMap { check in
            check.judge(facts).map { Entry(check: check.name, isVital: check.isVital, finding: $0) }
        }
    }

    /// Whether no fault prevents tracking.
    package var canTrack: Bool { !entries.contains { $0.isVital && $0.finding.grade == .fault } }

    /// The report: a line with each finding, an indented line with its remedy, and the verdict at the end.
    package var text: String {
        let width = entries.map(\.check.count).max() ?? 0
        let indent = String(repeating: " ", count: width + 10)
        let lines = entries.map { entry in
            let name = entry.check + String(repeating: " ", count: width - entry.check.count)
            let words = [entry.finding.text, entry.finding.remedy].compactMap { $0 }.joined(separator: "\n")
            let text = words.split(separator: "\n").map { String($0).printable(limit: 1000) }.joined(
                separator: "\n" + indent)
            return "\(entry.finding.grade.label) \(name)  \(text)"
        }
        let faults = entries.count { $0.finding.grade == .fault }
        return (lines + [VerdictLine(canTrack: canTrack).sentence(faults: faults)]).joined(separator: "\n")
    }
}

extension FindingLine {
    package init(_ entry: Examination.Entry) {
        self.init(
            check: entry.check, grade: entry.finding.grade.rawValue, text: entry.finding.text,
            remedy: entry.finding.remedy)
    }
}

extension Finding.Grade {
    /// The word at the beginning of a line; all words have the same width.
    fileprivate var label: String {
        switch self {
        case .ok: "ok     "
        case .warning: "warning"
        case .fault: "FAULT  "
        }
    }
}

extension Check {
    /// All checks, in the order of the report.
    package static let all: [Check] = [
        .configuration, .user, .accelerometer, .lines, .battery, .files, .receiver, .gpsd, .bluetooth, .halting,
        .wakeUp,
        .database, .clock, .targets,
    ]
}
