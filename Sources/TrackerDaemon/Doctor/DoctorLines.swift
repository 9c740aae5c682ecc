/// A finding of the doctor as a JSON object.
package struct FindingLine: Codable, Sendable, Hashable {
    /// The name of the check.
    package let check: String
    /// `ok`, `warning` or `fault`.
    package let grade: String
    /// The finding, in a sentence.
    package let text: String
    /// What to do; nil if no action is needed.
    package let remedy: String?

    /// Copies a finding.
    package init(_ entry: Examination.Entry) {
        check = entry.check
        grade = entry.finding.grade.rawValue
        text = entry.finding.text
        remedy = entry.finding.remedy
    }
}

/// The verdict of the doctor as a JSON object, which follows the findings.
package struct VerdictLine: Codable, Sendable, Hashable {
    /// Whether no fault prevents tracking.
    package let canTrack: Bool

    /// Copies the verdict.
    package init(canTrack: Bool) { self.canTrack = canTrack }
}
