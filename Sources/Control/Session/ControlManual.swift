package struct ControlManual: Sendable, Hashable {
    /// Such as `trip start`.
    package let name: String
    /// In the third person, for the help of its command.
    package let summary: String
    /// Besides `request` and `id`.
    package let keys: [ControlKey]
    /// In Markdown; empty if no command sends it.
    package let command: String
    package let response: String

    init(
        _ name: String, _ summary: String, keys: [ControlKey] = [], command: String,
        response: String = "an outcome"
    ) {
        self.name = name
        self.summary = summary
        self.keys = keys
        self.command = command
        self.response = response
    }
}

package struct ControlKey: Sendable, Hashable {
    package let name: String
    package let help: String

    package init(_ name: String, _ help: String) {
        self.name = name
        self.help = help
    }
}

package struct ControlError: Error, Sendable, Hashable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
