/// What a check found: a line of the doctor's report.
package struct Finding: Sendable, Hashable {
    /// How bad it is.
    package enum Grade: String, Sendable, Hashable, CaseIterable {
        case ok
        /// It works, or the tracker gets along without it.
        case warning
        /// It is out of service.
        case fault
    }

    /// How bad it is.
    package let grade: Grade
    /// What was found, in a sentence.
    package let text: String
    /// What to do; nothing where there is nothing to do.
    package let mend: String?

    static func ok(_ text: String) -> Finding { Finding(grade: .ok, text: text, mend: nil) }

    static func warning(_ text: String, _ mend: String) -> Finding { Finding(grade: .warning, text: text, mend: mend) }

    static func fault(_ text: String, _ mend: String) -> Finding { Finding(grade: .fault, text: text, mend: mend) }
}
