import Quantities

/// What the doctor found, and whether the vehicle can be tracked as it is.
package struct Examination: Sendable, Hashable {
    /// A finding and the check that it came from.
    package struct Entry: Sendable, Hashable {
        /// The name of the check.
        package let check: String
        /// Whether nothing is tracked while this check is at fault.
        package let isVital: Bool
        /// What it found.
        package let finding: Finding
    }

    /// All findings, in the order of the checks.
    package let entries: [Entry]

    /// Judges the facts by all checks.
    package init(of facts: Facts) {
        entries = Check.all.flatMap { check in
            check.judge(facts).map { Entry(check: check.name, isVital: check.isVital, finding: $0) }
        }
    }

    /// Whether nothing is at fault without which there is no tracking.
    package var canTrack: Bool { !entries.contains { $0.isVital && $0.finding.grade == .fault } }

    /// The report, a line a finding and an indented one for what to do, and what it comes to.
    package var text: String {
        let width = entries.map(\.check.count).max() ?? 0
        let indent = String(repeating: " ", count: width + 10)
        let lines = entries.map { entry in
            let name = entry.check + String(repeating: " ", count: width - entry.check.count)
            let words = [entry.finding.text, entry.finding.mend].compactMap { $0 }.joined(separator: "\n")
            let text = words.split(separator: "\n").map { String($0).printable(limit: 1000) }.joined(
                separator: "\n" + indent)
            return "\(entry.finding.grade.label) \(name)  \(text)"
        }
        return (lines + [verdict]).joined(separator: "\n")
    }

    private var verdict: String {
        let faults = entries.count { $0.finding.grade == .fault }
        if !canTrack { return "It cannot track." }
        switch faults {
        case 0: return "It can track."
        case 1: return "It can track, without the part that is at fault."
        default: return "It can track, without the \(faults) parts that are at fault."
        }
    }
}

extension Finding.Grade {
    /// The word at the beginning of a line, all of one width.
    fileprivate var label: String {
        switch self {
        case .ok: "ok     "
        case .warning: "warning"
        case .fault: "FAULT  "
        }
    }
}
