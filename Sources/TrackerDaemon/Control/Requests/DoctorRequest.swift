import FoundationEssentials
package import Hardware
import Quantities

/// `doctor`: check all parts of the tracker.
package struct DoctorRequest: ControlRequest {
    package static let isReading = true
    package static let manual = ControlManual(
        "doctor", "Checks each part of the tracker, and reports each fault with its remedy.", command: "",
        response: """
            `findings`: the lines of `trackerd doctor`, each with `check`, `grade` (`ok`, `warning` or `fault`), `text` and \
            `remedy`; `can_track`: whether no fault prevents tracking; `verdict`: the last line; `time`: when the checks began
            """)

    package init?(_ reader: inout RequestReader) {}

    package func run(in session: ControlSession) throws(ControlError) -> ControlExamination? {
        guard let client = session.client, let doctor = session.tracker.doctor else {
            throw ControlError("this program cannot run the doctor. Run `trackerd doctor` instead.")
        }
        return try doctor.examine(for: client, id: session.id, time: session.time, at: session.now)
    }
}

/// The response to `doctor`.
package struct ControlExamination: Codable, Sendable, Hashable {
    /// When the checks began.
    package let time: String
    /// Whether no fault prevents tracking.
    package let can_track: Bool
    /// The verdict, in a sentence.
    package let verdict: String
    /// The findings, in the order of the checks.
    package let findings: [FindingLine]

    /// Reads the output of `trackerd doctor --json`; nil if the output is not complete.
    init?(_ output: [UInt8], time: Timestamp) {
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
