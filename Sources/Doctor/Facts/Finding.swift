/// A check of the doctor: a rule that turns facts into findings, without I/O.
package struct Check: Sendable {
    package let name: String
    /// Whether a fault of this check prevents tracking.
    package let isVital: Bool
    /// Returns the findings; empty if the facts do not concern this check.
    package let judge: @Sendable (Facts) -> [Finding]

    package init(_ name: String, isVital: Bool = false, _ judge: @escaping @Sendable (Facts) -> [Finding]) {
        self.name = name
        self.isVital = isVital
        self.judge = judge
    }
}

/// The result of a check, which is a line in the doctor's report.
package struct Finding: Sendable, Hashable {
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

    package let grade: Grade
    package let text: String
    /// What to do; nil if no action is needed.
    package let remedy: String?
    /// What the configuration of a server may lack; nil if it lacks nothing, or if that is unknown.
    package var lack: Lack?

    package var sentences: String { [text, remedy].compactMap { $0 }.joined(separator: " ") }

    package static func ok(_ text: String) -> Finding { Finding(grade: .ok, text: text, remedy: nil) }

    package static func warning(_ text: String, _ remedy: String?) -> Finding {
        Finding(grade: .warning, text: text, remedy: remedy)
    }

    package static func fault(_ text: String, _ remedy: String) -> Finding {
        Finding(grade: .fault, text: text, remedy: remedy)
    }
}

extension Finding {
    /// The remedy for a battery monitor that measures less than any battery has.
    static let connectBattery =
        "Connect the battery, behind the fuse, to the divider before the INA219's terminal VIN-, and connect the INA219's ground to the vehicle's ground."
}
