/// A line of `trackerd doctor --json`, which the daemon reads.
package struct FindingLine: Codable, Sendable, Hashable {
    package let check: String
    /// `ok`, `warning` or `fault`.
    package let grade: String
    package let text: String
    package let remedy: String?

    package init(check: String, grade: String, text: String, remedy: String?) {
        (self.check, self.grade, self.text, self.remedy) = (check, grade, text, remedy)
    }
}

/// The line that follows the findings.
package struct VerdictLine: Codable, Sendable, Hashable {
    package let canTrack: Bool

    package init(canTrack: Bool) { self.canTrack = canTrack }

    package func sentence(faults: Int) -> String {
        if !canTrack { return "The vehicle cannot be tracked." }
        switch faults {
        case 0: return "The vehicle can be tracked."
        case 1: return "The vehicle can be tracked, but the doctor found one fault."
        default: return "The vehicle can be tracked, but the doctor found \(faults) faults."
        }
    }
}
