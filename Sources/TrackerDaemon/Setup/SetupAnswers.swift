import Upload

/// The owner's answers, from which `trackerd setup` writes the configuration.
package struct SetupAnswers: Sendable, Hashable {
    /// A server and the credentials for it.
    package struct Server: Sendable, Hashable {
        /// The URL.
        package var url: String
        /// The name of the format.
        package var format: String
        /// The user name; nil if the server needs none.
        package var username: String?
        /// The password; nil if the server needs none.
        package var password: String?
        /// Whether trackerd may send positions and passwords unencrypted.
        package var allowInsecure = false

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

    /// Makes answers without a server.
    package init(board: String, device: String) {
        self.board = board
        self.device = device
    }

    /// Takes the answers from an existing configuration.
    package init(of configuration: Configuration) {
        board = configuration.board?.base ?? "bare"
        device = configuration.device
        guard let target = configuration.targets.first else { return }
        var server = Server(url: "\(target.address)", format: target.format.name)
        server.username = target.access.username
        server.password = (try? target.access.password?.read())?.revealed
        self.server = server
    }

    /// Returns the text of the configuration file.
    ///
    /// If `passwordFile` is not nil, the text refers to that file; otherwise the text contains the password itself.
    package func text(passwordFile: String?) -> String {
        var lines = [
            "# Written by `trackerd setup`. /usr/share/doc/trackerd/configuration.md describes all keys.",
            "device: \(quoted(device))", "board: \(boardValue)",
        ]
        if let server {
            lines += [
                "targets:", "  - name: server", "    url: \(quoted(server.url))",
                "    format: \(quoted(server.format))",
            ]
            if server.allowInsecure { lines.append("    allowInsecure: true") }
            if let username = server.username { lines.append("    username: \(quoted(username))") }
            if let password = server.password {
                lines.append(
                    passwordFile.map { "    passwordFile: \(quoted($0))" } ?? "    password: \(quoted(password))")
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private var boardValue: String {
        guard !changes.isEmpty else { return quoted(board) }
        let parts = ["base: \(quoted(board))"] + changes.map { "\($0.key): \($0.value)" }
        return "{\(parts.joined(separator: ", "))}"
    }

    /// Returns a text as YAML: in double quotes (YAML 1.2, section 7.3.1), or unquoted if it is long and has only
    /// letters and digits.
    private func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
        }
        // Without quotes, YAML would give a short word such as `yes` or `null` another meaning.
        guard !(isPlain && text.utf8.count > 5) else { return text }
        let escaped = text.unicodeScalars.map { scalar in
            switch scalar {
            case "\"": "\\\""
            case "\\": "\\\\"
            case _ where scalar.value < 32 || scalar.value == 127: "\\x" + hexadecimal(scalar.value)
            default: String(scalar)
            }
        }
        return "\"" + escaped.joined() + "\""
    }

    private func hexadecimal(_ value: UInt32) -> String {
        let digits = String(value, radix: 16)
        return digits.count < 2 ? "0" + digits : digits
    }
}
