package import Hardware
import Quantities

package struct Examination: Sendable, Hashable {
    package struct Entry: Sendable, Hashable {
        package let check: String
        package let isVital: Bool
        package let finding: Finding
    }

    package let entries: [Entry]

    package init(of facts: Facts) {
        entries = Check.all.flatMap { check in
            check.judge(facts).map { Entry(check: check.name, isVital: check.isVital, finding: $0) }
        }
    }

    package var canTrack: Bool { !entries.contains { $0.isVital && $0.finding.grade == .fault } }

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
    /// All labels have the same width.
    fileprivate var label: String {
        switch self {
        case .ok: "ok     "
        case .warning: "warning"
        case .fault: "FAULT  "
        }
    }
}

extension Check {
    package static let all: [Check] = [
        .configuration, .user, .accelerometer, .lines, .battery, .files, .receiver, .gpsd, .bluetooth, .halting,
        .wakeUp,
        .database, .clock, .targets,
    ]
}
