/// A finding of the doctor as a JSON object.
///
/// `trackerd doctor --json` writes such lines, and the daemon reads them.
package struct FindingLine: Codable, Sendable, Hashable {
    package let check: String
    /// `ok`, `warning` or `fault`.
    package let grade: String
    package let text: String
    /// What to do; nil if no action is needed.
    package let remedy: String?

    package init(check: String, grade: String, text: String, remedy: String?) {
        (self.check, self.grade, self.text, self.remedy) = (check, grade, text, remedy)
    }
}

/// The verdict of the doctor as a JSON object, which follows the findings.
package struct VerdictLine: Codable, Sendable, Hashable {
    /// Whether no fault prevents tracking.
    package let canTrack: Bool

    package init(canTrack: Bool) { self.canTrack = canTrack }

    /// Returns the last sentence of a report with this number of faults.
    package func sentence(faults: Int) -> String {
        if !canTrack { return "The vehicle cannot be tracked." }
        switch faults {
        case 0: return "The vehicle can be tracked."
        case 1: return "The vehicle can be tracked, but the doctor found one fault."
        default: return "The vehicle can be tracked, but the doctor found \(faults) faults."
        }
    }
}
