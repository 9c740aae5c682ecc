package import Configuration
import Formats
import Glibc
import Quantities
import TrackingOptions
import Upload

package protocol SetupTerminal {
    mutating func write(_ line: String)

    /// Nil at the end of the input; spaces at both ends are removed.
    mutating func ask(_ question: String) -> String?

    /// The answer is not shown, and keeps its spaces.
    mutating func askSecret(_ question: String) -> String?
}

/// The dialogue has ended before its last question, or the owner has rejected the result.
package struct SetupCancelled: Error {
    package init() {}
}

package struct SetupDialogue<Terminal: SetupTerminal> {
    package struct Proposal: Sendable {
        /// The answers that Enter accepts.
        package var answers: SetupAnswers
        package var boards: [String]
        /// Nil if no board file describes this computer.
        package var recognised: String?
        package var model: String?
        package var former: Former?

        package init(answers: SetupAnswers, boards: [String], recognised: String?, model: String?) {
            self.answers = answers
            self.boards = boards
            self.recognised = recognised
            self.model = model
        }
    }

    package struct Former: Sendable {
        package var board: String
        /// The target that the dialogue changes; nil if there is none.
        package var target: String?
        package var otherTargets: [String]

        package init(board: String, target: String?, otherTargets: [String]) {
            (self.board, self.target, self.otherTargets) = (board, target, otherTargets)
        }
    }

    private var terminal: Terminal
    private let proposal: Proposal
    private let examine: (_ board: String) throws -> SetupSurvey
    private let tryServer: (SetupAnswers) throws -> [Finding]

    /// `examine` checks a board's parts, and `tryServer` connects with the credentials.
    package init(
        _ terminal: Terminal, _ proposal: Proposal, examine: @escaping (_ board: String) throws -> SetupSurvey,
        tryServer: @escaping (SetupAnswers) throws -> [Finding]
    ) {
        self.terminal = terminal
        self.proposal = proposal
        self.examine = examine
        self.tryServer = tryServer
    }

    package mutating func run() throws -> SetupAnswers {
        var answers = proposal.answers
        terminal.write("Press Enter to accept the value in brackets. Ctrl-C ends the dialogue and changes nothing.")
        try askBoard(&answers)
        answers.device = try ask("Name of this tracker, as servers see it", answers.device) { name in
            name.nameFault.map { "The name \($0). Use letters, digits, `-` and `_`." }
                ?? (name.contains { "/+#".contains($0) }
                    ? "The name contains `/`, `+` or `#`. Use letters, digits, `-` and `_`." : nil)
        }
        try askServer(&answers)
        return answers
    }

    package mutating func confirm(_ question: String, _ usual: Bool) throws -> Bool {
        while true {
            let answer = try reply("\(question) [\(usual ? "Y/n" : "y/N")] ").lowercased()
            if answer.isEmpty { return usual }
            if ["y", "yes"].contains(answer) { return true }
            if ["n", "no"].contains(answer) { return false }
            terminal.write("Answer y or n.")
        }
    }

    package mutating func write(_ line: String) { terminal.write(line) }

    // MARK: - The board

    private mutating func askBoard(_ answers: inout SetupAnswers) throws {
        if let model = proposal.model { terminal.write("This computer is a \(model).") }
        if proposal.recognised == nil {
            terminal.write("No board file describes this computer. `bare` uses only gpsd.")
        }
        let boards = proposal.boards
        answers.board = try ask("Board", answers.board) { name in
            guard !boards.contains(name) else { return nil }
            let hint = Spelling.nearest(to: name, among: boards).map { " Did you mean `\($0)`?" } ?? ""
            return "`\(name)` is not a known board.\(hint) Choose one of: \(boards.joined(separator: ", "))."
        }
        let survey = try examine(answers.board)
        for entry in survey.findings { terminal.write("  \(entry.check): \(entry.finding.sentences)") }
        answers.changes = []
        if let other = survey.otherAccelerometer {
            terminal.write("Found: \(other.text).")
            if try confirm("Use this accelerometer?", true) { answers.changes = other.changes }
        } else if survey.lacksAccelerometer {
            terminal.write(
                "To detect a departure without an accelerometer, the tracker checks its position every 30 s. It then draws more current."
            )
            if try confirm("Continue without the accelerometer?", false) {
                answers.changes += survey.accelerometerRemoval
            }
        }
        let isFormer = answers.board == proposal.former?.board
        for part in survey.unseenParts(after: answers.changes)
        where try !confirm("Is \(part.title) wired as wiring.md describes?", isFormer) {
            answers.changes.merge(part.removal)
        }
    }

    // MARK: - The server

    private mutating func askServer(_ answers: inout SetupAnswers) throws {
        var server = answers.server
        let former = proposal.former
        if let target = former?.target, let others = former?.otherTargets, !others.isEmpty {
            let names = others.map { "`\($0)`" }.joined(separator: ", ")
            terminal.write("The next questions are about the target `\(target)`. Setup does not change \(names).")
        }
        let none = former?.target.map { "remove the target `\($0)`" } ?? "record without a server"
        while true {
            let url = try ask(
                "Address of the server, such as https://track.example.net/pub (`none`: \(none))", server?.url ?? "none"
            ) { url in
                url == "none" || (try? ServerAddress(url)) != nil
                    ? nil
                    : "`\(url)` is not a valid address. Write https:// or mqtts:// in front of the host. Leave out user and password."
            }
            guard url != "none" else {
                answers.server = nil
                return
            }
            let isNew = server?.url != url
            var asked = server ?? .init(url: url, format: SetupAnswers.Server.usualFormat(for: url))
            asked.url = url
            if isNew, former?.target == nil { asked.format = SetupAnswers.Server.usualFormat(for: url) }
            try askDetails(&asked)
            answers.server = asked
            if try isAccepted(&answers) { return }
            server = answers.server
        }
    }

    private mutating func askDetails(_ server: inout SetupAnswers.Server) throws {
        let formats = FormatCatalogue.all.map(\.name)
        // A template in the address needs no other key.
        let mayBeTemplate = proposal.answers.server?.format == "template" || server.url.contains("{")
        server.format = try ask("Format", server.format) { name in
            guard formats.contains(name) else {
                return "`\(name)` is not a format. Choose one of: \(formats.joined(separator: ", "))."
            }
            guard name == "template", !mayBeTemplate else { return nil }
            return
                "Setup does not ask for the key `template`, which this format needs. Choose another format, and write "
                + "`format: template` and `template` into the file by hand afterwards."
        }
        let user = try ask("User name (`none` if the server needs no user name)", server.username ?? "none") { _ in nil
        }
        server.username = user == "none" ? nil : user
        guard server.username != nil else {
            (server.password, server.keepsPassword) = (nil, false)
            return
        }
        let kept = server.password == nil && !server.keepsPassword ? "" : " [unchanged]"
        guard let secret = terminal.askSecret("Password (not shown)\(kept): ") else { throw SetupCancelled() }
        if !secret.isEmpty { server.password = secret }
    }

    /// Returns whether the answers can be used: the server shows no fault, or the owner accepts the fault.
    private mutating func isAccepted(_ answers: inout SetupAnswers) throws -> Bool {
        while true {
            do {
                terminal.write("Trying the server …")
                let findings = try tryServer(answers)
                for finding in findings { terminal.write("  \(finding.sentences)") }
                guard findings.contains(where: { $0.grade != .ok }) else { return true }
                let lacks = findings.compactMap(\.lack)
                if lacks.contains(.authority), try askAuthority(&answers) { continue }
                if lacks.contains(.credentials), try askToken(&answers) { continue }
                return try confirm("Use these answers anyway?", false)
            } catch let error as ConfigurationError {
                for problem in error.problems { terminal.write("  \(problem.text)") }
                let isInsecure = error.problems.contains { $0.text.contains("unencrypted") }
                guard isInsecure, answers.server?.allowInsecure == false else { return false }
                guard try confirm("Send positions and passwords unencrypted?", false) else { return false }
                answers.server?.allowInsecure = true
            }
        }
    }

    private mutating func askAuthority(_ answers: inout SetupAnswers) throws -> Bool {
        let question = "File with the server's own certificate authority, in PEM (`none` if it has none)"
        return try askFile(question, \.caFile, isKept: \.keepsAuthority, &answers)
    }

    private mutating func askToken(_ answers: inout SetupAnswers) throws -> Bool {
        guard answers.server?.username == nil else { return false }
        let question = "File with a bearer token (`none` if the server accepts none)"
        return try askFile(question, \.tokenFile, isKept: \.keepsToken, &answers)
    }

    /// Asks until trackerd can read the file; the answer may be `none`. Returns whether the owner has changed the answer.
    private mutating func askFile(
        _ question: String, _ file: WritableKeyPath<SetupAnswers.Server, String?>,
        isKept: WritableKeyPath<SetupAnswers.Server, Bool>, _ answers: inout SetupAnswers
    ) throws -> Bool {
        guard let server = answers.server else { return false }
        let former = server[keyPath: file] ?? (server[keyPath: isKept] ? "unchanged" : "none")
        let answer = try ask(question, former) { path in
            ["none", former].contains(path) || path.hasPrefix("/") && access(path, R_OK) == 0
                ? nil : "`\(path)` is not a file that trackerd can read. Write a path that begins with `/`."
        }
        guard answer != former else { return false }
        answers.server?[keyPath: file] = answer == "none" ? nil : answer
        answers.server?[keyPath: isKept] = false
        return true
    }

    // MARK: - Questions

    /// Asks until `fault` is nil; Enter accepts the usual value.
    private mutating func ask(_ question: String, _ usual: String, fault: (String) -> String?) throws -> String {
        while true {
            let answer = try reply("\(question) [\(usual)]: ")
            let value = answer.isEmpty ? usual : answer
            guard let fault = fault(value) else { return value }
            terminal.write(fault)
        }
    }

    private mutating func reply(_ question: String) throws -> String {
        guard let answer = terminal.ask(question) else { throw SetupCancelled() }
        return answer
    }
}
