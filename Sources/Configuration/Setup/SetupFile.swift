import FoundationEssentials
import Yams

/// A configuration that `trackerd setup` changes; all that the answers do not change stays.
package struct SetupFile {
    package struct Change: Sendable {
        package let text: String
        package let dropped: [String]
    }

    /// The former text; nil if there is none, or if it has errors.
    private let former: YAMLText?
    /// The errors of the former file; if there are any, the new file contains none of its values.
    package let errors: [ConfigurationError.Problem]
    package let board: BoardEntry?
    /// The number of the target that the answers describe, from 0.
    private var number = 0

    package init(_ path: String) {
        var (former, errors, board) = (YAMLText?.none, [ConfigurationError.Problem](), BoardEntry?.none)
        do throws(ConfigurationError) {
            let text = try TextFile.read(path, missing: "")
            board = try Configuration.parse(
                text, file: path, environment: ProcessInfo.processInfo.environment, needsSecrets: false
            ).board
            former = YAMLText(text)
        } catch {
            errors = error.problems
        }
        if !FileManager.default.fileExists(atPath: path) { errors = [] }
        (self.former, self.errors, self.board) = (former, errors, board)
    }

    /// Selects the target with this address, or else the first.
    package mutating func select(url: String) {
        let urls = (0..<count).map { text("url", of: $0) }
        number = urls.firstIndex(of: url) ?? 0
    }

    private var count: Int { former?.node(.key("targets"))?.sequence?.count ?? 0 }

    package var target: String { name(of: number) }

    package var otherTargets: [String] { (0..<count).filter { $0 != number }.map(name(of:)) }

    private func name(of target: Int) -> String {
        count == 0 ? "server" : text("name", of: target) ?? "target\(target + 1)"
    }

    private func node(_ key: String, of target: Int) -> Node? {
        former?.node(.key("targets"), .item(target), .key(key))
    }

    private func text(_ key: String, of target: Int) -> String? { node(key, of: target)?.scalar?.string }
}

extension SetupFile {
    package var answers: SetupAnswers? {
        guard let former, let device = former.node(.key("device"))?.scalar?.string else { return nil }
        var answers = SetupAnswers(board: formerBoard, device: device)
        guard count > 0, let url = text("url", of: number) else { return answers }
        var server = SetupAnswers.Server(url: url, format: text("format", of: number) ?? "owntracks")
        server.username = text("username", of: number)
        server.keepsPassword = passwordKeys.contains { node($0, of: number) != nil }
        server.keepsToken = node("token", of: number) != nil
        server.keepsAuthority = node("caFile", of: number) != nil
        server.allowInsecure = node("allowInsecure", of: number)?.bool ?? false
        answers.server = server
        return answers
    }

    private var passwordKeys: [String] { ["password", "passwordFile"] }

    private var formerBoard: String {
        let node = former?.node(.key(BoardEntry.key))
        return node?.scalar?.string ?? node?["base"]?.string ?? "bare"
    }

    package func contains(_ text: String) -> Bool { former?.text == text }

    package func passwordFile(in folder: ConfigurationFolder) -> String {
        let used = (0..<count).filter { $0 != number }.compactMap { text("passwordFile", of: $0) }
        return (1...).lazy.map(folder.passwordFile).first { !used.contains($0) } ?? folder.passwordFile(1)
    }

    /// The text with the answers, and what setup drops for them. For a new password the text names `passwordFile`; if that
    /// is nil, it contains the password itself.
    package func change(to answers: SetupAnswers, passwordFile: String?) -> Change {
        guard var text = former else { return Change(text: answers.text(passwordFile: passwordFile), dropped: []) }
        var dropped: [String] = []
        if text.node(.key("device"))?.scalar?.string != answers.device {
            text.set([.key("device")], to: SetupAnswers.quoted(answers.device))
        }
        changeBoard(to: answers, in: &text, &dropped)
        changeTarget(to: answers.server, passwordFile, in: &text, &dropped)
        if text.hasLostComments {
            dropped.append("Setup cannot keep the comments of this file.")
        }
        return Change(text: text.text, dropped: dropped)
    }

    private func changeBoard(to answers: SetupAnswers, in text: inout YAMLText, _ dropped: inout [String]) {
        let key = YAMLText.Step.key(BoardEntry.key)
        let section = text.node(key)
        guard answers.board == formerBoard else {
            let keys = section?.mapping?.keys.compactMap(\.string).filter { $0 != "base" } ?? []
            dropped += keys.map {
                "Setup drops `board.\($0)`, because this key belongs to the board `\(formerBoard)`."
            }
            return text.set([key], to: answers.boardValue)
        }
        guard section?.mapping != nil else {
            if !answers.changes.isEmpty { text.set([key], to: answers.boardValue) }
            return
        }
        text.change(answers.changes)
    }

    private func changeTarget(
        to server: SetupAnswers.Server?, _ passwordFile: String?, in text: inout YAMLText, _ dropped: inout [String]
    ) {
        let targets = YAMLText.Step.key("targets")
        guard let server else {
            guard count > 0 else { return }
            dropped.append("Setup drops the target `\(target)`.")
            // A target without a name is called by its number, which the removal changes.
            for other in (number + 1)..<max(number + 1, count) where self.text("name", of: other) == nil {
                text.set([targets, .item(other), .key("name")], to: name(of: other))
            }
            return text.remove(count == 1 ? [targets] : [targets, .item(number)])
        }
        let entries = server.entries(passwordFile: passwordFile)
        guard count > 0 else { return text.setList("targets", of: [("name", "server")] + entries) }
        let path = [targets, .item(number)]
        for key in obsoleteKeys(for: server) where text.node(at: path + [.key(key)]) != nil {
            dropped.append("Setup drops `\(key)` of the target `\(target)`.")
            text.remove(path + [.key(key)])
        }
        // A new password may come from another place, which has another key.
        if server.password != nil { for key in passwordKeys { text.remove(path + [.key(key)]) } }
        let usual = ["format": "owntracks"]
        for (key, value) in entries {
            let wanted = (try? Yams.compose(yaml: value)) ?? nil
            let present = text.node(at: path + [.key(key)])
            guard present != wanted, present != nil || wanted?.string != usual[key] else { continue }
            text.set(path + [.key(key)], to: value)
        }
    }

    /// The keys that contradict the answers.
    private func obsoleteKeys(for server: SetupAnswers.Server) -> [String] {
        var keys = FormatEntry.parts.filter { $0 != server.format }
        if server.username != nil || server.tokenFile == nil && !server.keepsToken { keys.append("token") }
        if server.caFile == nil, !server.keepsAuthority { keys.append("caFile") }
        if server.username == nil { keys += ["username"] + passwordKeys }
        return keys
    }
}

extension YAMLText {
    mutating func change(_ changes: [BoardChange]) {
        for change in changes {
            let value = (try? Yams.compose(yaml: change.value)) ?? nil
            let path = [Step.key(BoardEntry.key), Step.key(change.key)]
            if node(at: path)?.mapping != nil, let parts = value?.mapping {
                for case (let part, .scalar(let scalar)) in parts {
                    set(path + [.key(part.string ?? "")], to: scalar.string)
                }
            } else {
                set(path, to: change.value)
            }
        }
    }
}
