/// One thing that the doctor looks at: a rule from facts to findings, without any looking of its own.
package struct Check: Sendable {
    /// What it is about, as the report names it.
    package let name: String
    /// Whether nothing is tracked while it is at fault.
    package let isVital: Bool
    /// Judges the facts; nothing when they are not about it.
    package let judge: @Sendable (Facts) -> [Finding]

    init(_ name: String, isVital: Bool = false, _ judge: @escaping @Sendable (Facts) -> [Finding]) {
        self.name = name
        self.isVital = isVital
        self.judge = judge
    }

    /// All checks, in the order of the report.
    package static let all: [Check] = [
        .configuration, .user, .accelerometer, .lines, .receiver, .bluetooth, .database, .clock, .targets,
    ]
}
