package struct SetupAnswers: Sendable, Hashable {
    package struct Server: Sendable, Hashable {
        package var url: String
        package var format: String
        package var username: String?
        /// The new password; nil if none is needed, or if the present one stays.
        package var password: String?
        package var keepsPassword = false
        /// If true, positions and passwords may be sent unencrypted.
        package var allowInsecure = false
        /// Nil if none is needed, or if the present one stays.
        package var tokenFile: String?
        package var keepsToken = false
        /// The file with the server's own authorities; nil if it has none, or if the present file stays.
        package var caFile: String?
        package var keepsAuthority = false
        package var user: String?
        package var proxy: String?

        /// The check of the configuration reports an unknown format.
        package init(url: String, format: String) {
            self.url = url
            self.format = format
        }

        package static func usualFormat(for url: String) -> String {
            url.contains(":5055") ? "traccar" : "owntracks"
        }
    }

    package var board: String
    package var changes: [BoardChange] = []
    package var device: String
    package var server: Server?

    package init(board: String, device: String) {
        self.board = board
        self.device = device
    }

    /// The whole configuration. For a password it names `passwordFile`; if that is nil, it contains the password.
    package func text(passwordFile: String?) -> String {
        var lines = [
            "# Written by `trackerd setup`. /usr/share/doc/trackerd/configuration.md describes all keys.",
            "device: \(Self.quoted(device))", "board: \(boardValue)",
        ]
        if let server {
            lines.append("targets:")
            lines += YAMLText.item([("name", "server")] + server.entries(passwordFile: passwordFile))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    var boardValue: String {
        guard !changes.isEmpty else { return Self.quoted(board) }
        let parts = ["base: \(Self.quoted(board))"] + changes.map { "\($0.key): \($0.value)" }
        return "{\(parts.joined(separator: ", "))}"
    }

    /// The text in double quotes (YAML 1.2, section 7.3.1), or bare if it consists of six or more letters and digits.
    static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
        }
        // Bare, a short word such as `yes` or `null` would mean something else.
        guard !(isPlain && text.utf8.count > 5) else { return text }
        return YAMLText.inQuotes(text)
    }
}

extension SetupAnswers.Server {
    package func entries(passwordFile: String?) -> [(key: String, value: String)] {
        var entries = [("url", SetupAnswers.quoted(url)), ("format", SetupAnswers.quoted(format))]
        if allowInsecure { entries.append(("allowInsecure", "true")) }
        if let username { entries.append(("username", SetupAnswers.quoted(username))) }
        if let password {
            let key = passwordFile == nil ? "password" : "passwordFile"
            entries.append((key, SetupAnswers.quoted(passwordFile ?? password)))
        }
        if let tokenFile { entries.append(("token", "{file: \(YAMLText.inQuotes(tokenFile))}")) }
        let others = [("caFile", caFile), ("user", user), ("proxy", proxy)]
        entries += others.compactMap { key, text in text.map { (key, SetupAnswers.quoted($0)) } }
        return entries
    }
}
