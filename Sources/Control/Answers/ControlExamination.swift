import FoundationEssentials
package import Hardware
package import Quantities

package struct ControlExamination: Codable, Sendable, Hashable {
    package let time: String
    package let can_track: Bool
    package let verdict: String
    /// The findings in the order of the checks.
    package let findings: [FindingLine]

    /// Nil if the output is not complete.
    package init?(_ output: [UInt8], time: Timestamp) {
        let decoder = JSONDecoder()
        let lines = output.split(separator: UInt8(ascii: "\n")).map { Data($0) }
        guard let last = lines.last, let verdict = try? decoder.decode(VerdictLine.self, from: last) else { return nil }
        self.time = time.description
        findings = lines.dropLast().compactMap { try? decoder.decode(FindingLine.self, from: $0) }
        can_track = verdict.canTrack
        let faults = findings.count { $0.grade == "fault" }
        self.verdict = verdict.sentence(faults: faults)
    }
}
