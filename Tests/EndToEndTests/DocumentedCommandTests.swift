import Foundation
import Testing

@Suite("The commands in the documents")
struct DocumentedCommandTests {
    private struct Command {
        let place: String
        let words: [String]
    }

    /// The indented lines and the code between backticks that run `make`, `trackerd` or a script of `scripts`.
    private static let all: [Command] = {
        let names = FileManager.default.enumerator(atPath: Daemon.root.appendingPathComponent("docs").path)?
            .compactMap { $0 as? String }.filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }
        return (["README.md", "CONTRIBUTING.md", "demo/README.md", "Lab/README.md"] + (names ?? [])).flatMap(commands)
    }()

    private static func commands(in page: String) -> [Command] {
        let text = (try? String(contentsOf: Daemon.root.appendingPathComponent(page), encoding: .utf8)) ?? ""
        var commands: [Command] = []
        for line in text.components(separatedBy: "\n") {
            let code = line.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
            for candidate in (line.hasPrefix("    ") ? [line] : []) + code {
                let words = candidate.components(separatedBy: " #")[0].split(separator: " ").map(String.init)
                let own = Array(words.drop { word in word == "sudo" || word.contains("=") && !word.hasPrefix("-") })
                guard let first = own.first, first == "make" || first == "trackerd" || first.hasPrefix("scripts/")
                else {
                    continue
                }
                commands.append(Command(place: "\(page): \(candidate)", words: own))
            }
        }
        return commands
    }

    @Test("Each target of make and each script exists.")
    func scripts() throws {
        let makefile = try String(contentsOf: Daemon.root.appendingPathComponent("Makefile"), encoding: .utf8)
        let targets = Set(makefile.matches(of: /(?m)^([a-z0-9-]+):/).map { String($0.1) })
        var count = 0
        for command in Self.all {
            if command.words[0] == "make", let target = command.words.dropFirst().first?.wholeMatch(of: /[a-z0-9-]+/) {
                #expect(targets.contains(String(target.output)), "\(command.place)")
                count += 1
            } else if command.words[0].hasPrefix("scripts/"), !command.words[0].contains("*") {
                let script = Daemon.root.appendingPathComponent(command.words[0])
                #expect(FileManager.default.fileExists(atPath: script.path), "\(command.place)")
                count += 1
            }
        }
        #expect(count > 60)
    }

    @Test("Each command of trackerd exists, and its help has the options.")
    func options() throws {
        var helps: [[String]: String] = [:]
        func help(_ path: [String]) throws -> String {
            if let known = helps[path] { return known }
            let (text, _, status) = try Daemon.output(path + ["--help"])
            #expect(status == 0, "\(path)")
            helps[path] = text
            return text
        }
        func subcommands(_ help: String) -> [(name: String, isDefault: Bool)] {
            let list = help.components(separatedBy: "SUBCOMMANDS:\n").dropFirst().first ?? ""
            return list.matches(of: /(?m)^  ([a-z-]+)( \(default\))?/).map { (String($0.1), $0.2 != nil) }
        }
        var count = 0
        for command in Self.all where command.words[0] == "trackerd" {
            var (path, rest) = ([String](), command.words.dropFirst().prefix { !["|", ">", "&&", "…"].contains($0) })
            while let word = rest.first, subcommands(try help(path)).contains(where: { $0.name == word }) {
                path.append(word)
                rest = rest.dropFirst()
            }
            #expect(!path.isEmpty || rest.first?.wholeMatch(of: /[a-z]+/) == nil, "\(command.place)")
            var known = try help(path)
            while let name = subcommands(known).first(where: \.isDefault)?.name {
                path.append(name)
                known += try help(path)
                if subcommands(try help(path)).isEmpty { break }
            }
            for option in rest.compactMap({ $0.prefixMatch(of: /--[a-z0-9-]+/)?.output }) {
                #expect(known.contains(option) || ["--help", "--version"].contains(option), "\(command.place)")
                count += 1
            }
        }
        #expect(count > 40)
    }
}
