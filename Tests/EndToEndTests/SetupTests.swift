import Foundation
import Peers
import Testing

@Suite("`trackerd setup` in a terminal", .enabled(if: ScriptedTerminal.python != nil, "not installed: python3"))
struct SetupTests {
    private let scratch: Scratch
    private let server: WebServer
    private var file: String { scratch.path + "/config.yaml" }

    init() throws {
        scratch = try Scratch()
        server = try WebServer()
        try server.start(denying: true)
    }

    struct Talk: Sendable {
        let name: String
        /// `URL` stands for the address of the server, which accepts only `me` with `secret`, or the token in `FOLDER/token`.
        let answers: [String]
        let status: Int
        /// The configuration before the dialogue; nil if there is none.
        var former: String?
    }

    static let talks = [
        Talk(name: "right", answers: ["", "van1", "URL", "", "me", "secret", ""], status: 0),
        Talk(name: "none", answers: ["", "", "", ""], status: 0),
        Talk(
            name: "wrong-answers",
            answers: [
                "bar", "bare", "a/b", "van1", "track.example.net", "URL", "owntrak", "", "me",
                "wrong", "n",
                "", "", "", "secret", "perhaps", "y",
            ], status: 0),
        Talk(
            name: "no-network",
            answers: ["", "van1", "https://nowhere.invalid/pub", "", "none", "n", "", "", "", "y", "y"], status: 0),
        Talk(
            name: "wrong-address",
            answers: ["", "van1", "http://track.invalid/pub", "", "none", "n", "none", "n"], status: 1),
        Talk(name: "interrupted", answers: ["", "van1", "URL", "", "me", "^C"], status: 130),
        Talk(name: "ended", answers: ["", "^D"], status: 1),
        Talk(name: "unchanged", answers: ["y", "", "", "", "", "", "", ""], status: 0, former: fleet),
        Talk(
            name: "changed", answers: ["y", "", "van-{hostname}", "URL/new", "", "me", "secret", ""], status: 0,
            former: fleet),
        Talk(
            name: "dropped", answers: ["y", "", "", "", "owntracks", "none", "", "n", "none", ""], status: 0,
            former: fleet),
        Talk(
            name: "token", answers: ["", "van1", "URL", "", "none", "token", "FOLDER/token", ""], status: 0),
        Talk(
            name: "wrong-token", answers: ["y", "", "", "", "", "", "", "n", "", "", "", "FOLDER/token", ""], status: 0,
            former: stale),
        Talk(
            name: "no-token", answers: ["y", "", "", "", "", "", "none", "", "y", ""], status: 0, former: stale),
        Talk(name: "other-keys", answers: ["y", "", "van2", "", "", "", ""], status: 0, former: keys),
        Talk(
            name: "own-authority",
            answers: [
                "", "van1", "https://127.0.0.1:SECURE/pub", "template", "owntracks", "none", "/nowhere.pem",
                "FOLDER/127.0.0.1.pem", "",
            ], status: 0),
        Talk(name: "with-errors", answers: ["y", "bare", "van1", "none", ""], status: 0, former: "devise: van1\n"),
    ]

    private static let fleet = """
        # The image of all vans.
        device: "{hostname}"   # the name of the computer
        board: {base: bare, gpsd: {host: 127.0.0.1, port: 9}}
        targets:
          # Our own server.
          - name: home
            url: URL
            format: traccar
            traccar: {form: json}
            username: me  # see the wiki
            password: secret
            user: fleet
          - url: https://backup.invalid/pub
        tracking:
          stopTimeout: 90s
        regions:
          - name: depot
            latitude: 52.5
            longitude: 13.4
            radius: 100
        """

    private static let stale = """
        device: van1
        targets:
        - url: URL
          token: stale
        """

    private static let keys = """
        device: van1
        targets:
        - url: URL
          token: {file: FOLDER/token}
          caFile: FOLDER/authority.pem
          user: fleet
        """

    @Test("A dialogue equals its golden transcript, which `TRACKERD_WRITE_DOCS=1` rewrites.", arguments: talks)
    func dialogue(talk: Talk) throws {
        let secure = try WebServer()
        try secure.start(certificate: Certificate(for: "127.0.0.1", in: scratch))
        let answers = talk.answers.map {
            $0.replacing("URL", with: server.url).replacing("SECURE", with: String(secure.port))
                .replacing("FOLDER", with: scratch.path)
        }
        try scratch.write("s3same\n", to: "token")
        try scratch.write("", to: "authority.pem")
        let former = talk.former.map { $0.replacing("URL", with: server.url).replacing("FOLDER", with: scratch.path) }
        try former.map { try scratch.write($0 + "\n", to: "config.yaml") }
        let given = former == nil ? ["--board", "bare", "--name", "van"] : []
        let (shown, status) = try ScriptedTerminal.run(
            [Daemon.program, "setup", "--config", file] + given, answers: answers)
        #expect(status == talk.status)
        #expect(FileManager.default.fileExists(atPath: file) == (talk.status == 0))
        var text = plain(shown).replacing(String(secure.port), with: "SECURE")
        if talk.status == 0 { text += "--- config.yaml\n" + plain(try String(contentsOfFile: file, encoding: .utf8)) }
        text = text.replacing(String(secure.port), with: "SECURE")
        let golden = Daemon.root.appendingPathComponent("Tests/Golden/setup/\(talk.name).txt")
        if ProcessInfo.processInfo.environment["TRACKERD_WRITE_DOCS"] != nil {
            try FileManager.default.createDirectory(
                at: golden.deletingLastPathComponent(), withIntermediateDirectories: true)
            try text.write(to: golden, atomically: true, encoding: .utf8)
        }
        #expect(text == (try? String(contentsOf: golden, encoding: .utf8)))
    }

    /// Replaces or removes the parts that differ between computers: paths, ports, times, and reports about gpsd and the board.
    private func plain(_ text: String) -> String {
        let lines = text.replacingOccurrences(of: scratch.path, with: "/etc/trackerd")
            .replacingOccurrences(of: String(server.port), with: "PORT")
            .replacingOccurrences(of: #"in \d+ ms"#, with: "in N ms", options: .regularExpression)
            .components(separatedBy: "\n")
        let ofComputer = ["This computer is", "No board file", "  receiver:", "  gpsd:"]
        return lines.filter { line in !ofComputer.contains { line.hasPrefix($0) } }.joined(separator: "\n")
    }

    @Test(
        "The dialogue asks for the certificate authority of a broker, and tries the broker again.",
        .enabled(if: Broker.program != nil && Certificate.openssl != nil, "not installed: mosquitto or openssl"))
    func brokerAuthority() throws {
        let (port, program) = (freePort(), try #require(Broker.program))
        let certificate = try Certificate(for: "127.0.0.1", in: scratch)
        let rules = [
            "listener \(port) 127.0.0.1", "certfile \(certificate.file)", "keyfile \(certificate.key)",
            "allow_anonymous true", "user root", "",
        ]
        try scratch.write(rules.joined(separator: "\n"), to: "conf")
        let broker = try Child(program, ["-c", "\(scratch.path)/conf"])
        defer { broker.kill() }
        #expect(eventually { isListening(port) })
        let (shown, status) = try ScriptedTerminal.run(
            [Daemon.program, "setup", "--config", file, "--board", "bare", "--name", "van"],
            answers: ["", "van1", "mqtts://127.0.0.1:\(port)", "", "none", certificate.file, ""])
        #expect(status == 0, "\(shown)")
        #expect(shown.contains("it is self-signed; write its file into `caFile`"), "\(shown)")
        #expect(shown.contains("accepts the connection and a test message, with MQTT 5"), "\(shown)")
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains("caFile: \"\(certificate.file)\""))
    }

    @Test("Only the owner can read the files that `setup` writes, and the configuration does not contain the password.")
    func secrets() throws {
        let talk = Self.talks[0]
        _ = try ScriptedTerminal.run(
            [Daemon.program, "setup", "--config", file], answers: talk.answers.map { $0 == "URL" ? server.url : $0 })
        let manager = FileManager.default
        for (name, mode) in [("config.yaml", 0o600), ("server.password", 0o400)] {
            let attributes = try manager.attributesOfItem(atPath: scratch.path + "/" + name)
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
        #expect(try !String(contentsOfFile: file, encoding: .utf8).contains("secret"))
        #expect(try Daemon.output(["config", "check", file, "--connect"]).status == 0)
    }

    @Test("A second run of `setup` proposes the values of the first, and preserves the former file.")
    func again() throws {
        let first = Self.talks[0].answers.map { $0 == "URL" ? server.url : $0 }
        _ = try ScriptedTerminal.run([Daemon.program, "setup", "--config", file], answers: first)
        let before = try String(contentsOfFile: file, encoding: .utf8)
        let (shown, status) = try ScriptedTerminal.run(
            [Daemon.program, "setup", "--config", file], answers: ["y", "", "van2", "", "", "", "", ""])
        #expect(status == 0, "\(shown)")
        #expect(try String(contentsOfFile: file + ".1", encoding: .utf8) == before)
        let after = try String(contentsOfFile: file, encoding: .utf8)
        #expect(after == before.replacingOccurrences(of: "van1", with: "van2"), "\(shown)")
        #expect(try String(contentsOfFile: scratch.path + "/server.password", encoding: .utf8) == "secret\n")
    }

    @Test("With `--yes`, `setup` asks no question, and writes no file if the server rejects the password.")
    func withoutQuestions() throws {
        try scratch.write("wrong\n", to: "key")
        let arguments = [
            "setup", "--config", file, "--yes", "--url", server.url, "--username", "me", "--name", "van-{hostname}",
            "--password-file", scratch.path + "/key",
        ]
        let refused = try Daemon.output(arguments)
        #expect(refused.status == 1 && refused.text.contains("rejects the credentials"))
        #expect(!FileManager.default.fileExists(atPath: file))
        try scratch.write("secret\n", to: "key")
        #expect(try Daemon.output(arguments).status == 0)
        #expect(try String(contentsOfFile: file, encoding: .utf8).contains(#"device: "van-{hostname}""#))
        #expect(try Daemon.output(["config", "check", file]).status == 0)
    }

    @Test("The arguments set a token, an authority and a user, and an unencrypted address needs `--allow-insecure`.")
    func arguments() throws {
        let secure = try WebServer()
        let certificate = try Certificate(for: "127.0.0.1", in: scratch)
        try secure.start(certificate: certificate)
        try scratch.write("s3same\n", to: "token")
        let start = ["setup", "--config", file, "--yes", "--board", "bare", "--name", "van1"]
        let result = try Daemon.output(
            start + [
                "--url", secure.secureURL, "--ca-file", certificate.file, "--token-file", scratch.path + "/token",
                "--user", "fleet",
            ])
        #expect(result.status == 0, "\(result)")
        #expect(secure.requests.last?.headers["Authorization"] == "Bearer s3same")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(
            text.contains("    token: {file: \"\(scratch.path)/token\"}\n    caFile: \"\(certificate.file)\"\n"),
            "\(text)")
        #expect(text.hasSuffix("    user: \"fleet\"\n"), "\(text)")
        let proxied = try Daemon.output(start + ["--proxy", "http://127.0.0.1:9"])
        #expect(proxied.status == 1 && proxied.text.contains("the proxy 127.0.0.1 is unreachable"), "\(proxied)")
        let clear = try Daemon.output(start + ["--url", "http://track.invalid/pub"])
        #expect(clear.status != 0 && clear.errors.contains("add --allow-insecure if you accept that"), "\(clear)")
        #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
    }

    @Test("A folder that `setup` cannot write is an error before the first question.")
    func folder() throws {
        let (shown, status) = try ScriptedTerminal.run(
            [Daemon.program, "setup", "--config", scratch.path + "/missing/config.yaml"], answers: [])
        #expect(status != 0)
        #expect(shown.contains("is not writable (No such file or directory). Run the command with sudo"))
    }
}
