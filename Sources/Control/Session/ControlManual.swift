package struct ControlManual: Sendable, Hashable {
    /// The name of the request, such as `trip start`.
    package let name: String
    /// What the request does, in the third person; also the help of its command.
    package let summary: String
    /// The keys besides `request` and `id`.
    package let keys: [ControlKey]
    /// The command that sends the request, in Markdown; empty if there is none.
    package let command: String
    package let response: String

    init(_ name: String, _ summary: String, keys: [ControlKey] = [], command: String, response: String = "an outcome") {
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
