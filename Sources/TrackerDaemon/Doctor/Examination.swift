import Quantities

/// The doctor's findings, and whether the tracker can work.
package struct Examination: Sendable, Hashable {
    /// A finding, and the check that produced it.
    package struct Entry: Sendable, Hashable {
        /// The name of the check.
        package let check: String
        /// Whether a fault of this check prevents tracking.
        package let isVital: Bool
        /// The finding.
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
        return (lines + [Self.verdict(canTrack: canTrack, faults: faults)]).joined(separator: "\n")
    }

    /// Returns the last sentence of a report with this number of faults.
    static func verdict(canTrack: Bool, faults: Int) -> String {
        if !canTrack { return "The vehicle cannot be tracked." }
        switch faults {
        case 0: return "The vehicle can be tracked."
        case 1: return "The vehicle can be tracked, but the doctor found one fault."
        default: return "The vehicle can be tracked, but the doctor found \(faults) faults."
        }
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

/// A check of the doctor: a rule that turns facts into findings, without I/O.
package struct Check: Sendable {
    /// The name in the report.
    package let name: String
    /// Whether a fault of this check prevents tracking.
    package let isVital: Bool
    /// Returns the findings; empty if the facts do not concern this check.
    package let judge: @Sendable (Facts) -> [Finding]

    init(_ name: String, isVital: Bool = false, _ judge: @escaping @Sendable (Facts) -> [Finding]) {
        self.name = name
        self.isVital = isVital
        self.judge = judge
    }

    /// All checks, in the order of the report.
    package static let all: [Check] = [
        .configuration, .user, .accelerometer, .lines, .battery, .files, .receiver, .gpsd, .bluetooth, .halting,
        .wakeUp,
        .database, .clock, .targets,
    ]
}

/// The result of a check, which is a line in the doctor's report.
package struct Finding: Sendable, Hashable {
    /// The severity.
    package enum Grade: String, Sendable, Hashable, CaseIterable {
        case ok
        /// The part works with a limitation, or tracking is possible without the part.
        case warning
        /// The part does not work.
        case fault
    }

    /// What the configuration of a server may lack.
    package enum Lack: Sendable, Hashable {
        /// The file of the server's own certificate authority, because the certificate is not trusted.
        case authority
        /// A password or a token, because the server rejects the credentials.
        case credentials
    }

    /// The severity.
    package let grade: Grade
    /// The finding, in a sentence.
    package let text: String
    /// What to do; nil if no action is needed.
    package let remedy: String?
    /// What the configuration of a server may lack; nil if it lacks nothing, or if that is unknown.
    package var lack: Lack?

    /// The text and the remedy.
    package var sentences: String { [text, remedy].compactMap { $0 }.joined(separator: " ") }

    static func ok(_ text: String) -> Finding { Finding(grade: .ok, text: text, remedy: nil) }

    static func warning(_ text: String, _ remedy: String?) -> Finding {
        Finding(grade: .warning, text: text, remedy: remedy)
    }

    static func fault(_ text: String, _ remedy: String) -> Finding {
        Finding(grade: .fault, text: text, remedy: remedy)
    }
}
