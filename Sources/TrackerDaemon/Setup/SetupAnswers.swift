import Upload

/// The answers of the owner from which `trackerd setup` writes the configuration.
package struct SetupAnswers: Sendable, Hashable {
    /// A server and the credentials for it.
    package struct Server: Sendable, Hashable {
        /// The URL.
        package var url: String
        /// The name of the format.
        package var format: String
        /// The user; nil if the server needs none.
        package var username: String?
        /// The password; nil if the server needs none.
        package var password: String?
        /// Whether positions and passwords may travel unencrypted.
        package var allowInsecure = false

        /// Combines an address and a format; the format of an unknown name is an error of the configuration.
        package init(url: String, format: String) {
            self.url = url
            self.format = format
        }

        /// The usual format for an address.
        package static func usualFormat(for url: String) -> String {
            url.contains(":5055") ? "traccar" : "owntracks"
        }
    }

    /// The name of the board; `auto` for the board of the computer.
    package var board: String
    /// The changes to the board's file.
    package var changes: [BoardChange] = []
    /// The name of the tracker.
    package var device: String
    /// The server; nil for none.
    package var server: Server?

    /// Makes answers without a server.
    package init(board: String, device: String) {
        self.board = board
        self.device = device
    }

    /// Takes the answers from a configuration that is in force.
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
    /// With `passwordFile`, the text refers to that file; without, it contains the password.
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

    /// Returns a text in double quotes, as YAML 1.2 (section 7.3.1) reads it.
    private func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
        }
        // A word such as `yes` or `null` has another meaning without quotes.
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
