import Upload

/// The owner's answers, from which `trackerd setup` writes the configuration.
package struct SetupAnswers: Sendable, Hashable {
    package struct Server: Sendable, Hashable {
        package var url: String
        package var format: String
        /// The user name; nil if the server needs none.
        package var username: String?
        /// The new password; nil if the server needs none, or if the configuration keeps its password.
        package var password: String?
        /// Whether the configuration has a password, which remains.
        package var keepsPassword = false
        /// Whether trackerd may send positions and passwords unencrypted.
        package var allowInsecure = false
        /// A file with a bearer token; nil if the server needs none, or if the configuration keeps its token.
        package var tokenFile: String?
        /// Whether the configuration has a token, which remains.
        package var keepsToken = false
        /// A file with the server's own authorities; nil if it has none, or if the configuration keeps its file.
        package var caFile: String?
        /// Whether the configuration has a file with the server's own authorities, which remains.
        package var keepsAuthority = false
        /// The user to whom the records belong; nil if the answers do not change it.
        package var user: String?
        /// The proxy; nil if the answers do not change it.
        package var proxy: String?

        /// Combines an address and the name of a format; if no format has this name, the configuration has an error.
        package init(url: String, format: String) {
            self.url = url
            self.format = format
        }

        /// The usual format for an address.
        package static func usualFormat(for url: String) -> String {
            url.contains(":5055") ? "traccar" : "owntracks"
        }
    }

    /// The name of the board; `auto` means the board of this computer.
    package var board: String
    /// The changes to the board's file.
    package var changes: [BoardChange] = []
    /// The name of the tracker.
    package var device: String
    /// The server; nil if the configuration has no server.
    package var server: Server?

    package init(board: String, device: String) {
        self.board = board
        self.device = device
    }

    /// Returns the text of a new configuration file.
    ///
    /// If `passwordFile` is not nil, the text refers to that file; otherwise the text contains the password itself.
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

    /// The value of the key `board` as YAML.
    var boardValue: String {
        guard !changes.isEmpty else { return Self.quoted(board) }
        let parts = ["base: \(Self.quoted(board))"] + changes.map { "\($0.key): \($0.value)" }
        return "{\(parts.joined(separator: ", "))}"
    }

    /// Returns a text as YAML: in double quotes (YAML 1.2, section 7.3.1), or unquoted if it is long and has only
    /// letters and digits.
    static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
        }
        // Without quotes, YAML would give a short word such as `yes` or `null` another meaning.
        guard !(isPlain && text.utf8.count > 5) else { return text }
        return YAMLText.inQuotes(text)
    }
}

extension SetupAnswers.Server {
    /// Returns the keys of a target with their values as YAML.
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
