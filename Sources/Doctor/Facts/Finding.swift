/// A rule that turns facts into findings, without I/O.
package struct Check: Sendable {
    package let name: String
    package let isVital: Bool
    /// The result is empty if the facts do not concern the check.
    package let judge: @Sendable (Facts) -> [Finding]

    package init(_ name: String, isVital: Bool = false, _ judge: @escaping @Sendable (Facts) -> [Finding]) {
        self.name = name
        self.isVital = isVital
        self.judge = judge
    }
}

package struct Finding: Sendable, Hashable {
    package enum Grade: String, Sendable, Hashable, CaseIterable {
        case ok
        /// The part works with a limitation, or tracking is possible without it.
        case warning
        case fault
    }

    package enum Lack: Sendable, Hashable {
        /// The server's own authority, because the certificate is not trusted.
        case authority
        /// The password or the token, because the server rejects it.
        case credentials
    }

    package let grade: Grade
    package let text: String
    package let remedy: String?
    package var lack: Lack?

    package var sentences: String { [text, remedy].compactMap { $0 }.joined(separator: " ") }

    package static func ok(_ text: String) -> Finding { Finding(grade: .ok, text: text, remedy: nil) }

    package static func warning(_ text: String, _ remedy: String?, lacking lack: Lack? = nil) -> Finding {
        Finding(grade: .warning, text: text, remedy: remedy, lack: lack)
    }

    package static func fault(_ text: String, _ remedy: String) -> Finding {
        Finding(grade: .fault, text: text, remedy: remedy)
    }
}

extension [Finding] {
    static func ok(_ text: String) -> [Finding] { [Finding.ok(text)] }
    static func warning(_ text: String, _ remedy: String?) -> [Finding] { [Finding.warning(text, remedy)] }
    static func fault(_ text: String, _ remedy: String) -> [Finding] { [Finding.fault(text, remedy)] }
}

extension Finding {
    static let connectBattery =
        "Connect the battery, behind the fuse, to the divider before the INA219's terminal VIN-, and connect the INA219's ground to the vehicle's ground."
}
