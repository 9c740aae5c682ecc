import Foundation
import Glibc
import Peers
import Testing

@Suite("Mistakes in a configuration")
struct ConfigurationMistakesTests {
    /// A configuration with a mistake, and the output of `trackerd config check`.
    struct Mistake: CustomTestStringConvertible {
        let title: String
        let configuration: String
        let output: String

        var testDescription: String { title }
        var section: String { "## \(title)\n\(configuration)--\n\(output)\n" }
    }

    private static let golden = Daemon.root.appendingPathComponent("Tests/Golden/mistakes.txt")

    /// In the file, each mistake has a title after `##`, the configuration, a line `--`, and the output.
    static let mistakes: [Mistake] = {
        let text = (try? String(contentsOf: golden, encoding: .utf8)) ?? ""
        return text.components(separatedBy: "## ").dropFirst().map { section in
            let parts = section.components(separatedBy: "--\n")
            let lines = parts[0].split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            return Mistake(
                title: String(lines[0]), configuration: String(lines[1]),
                output: String(parts[1...].joined(separator: "--\n").dropLast()))
        }
    }()

    /// The mistakes with which `run` continues: a part of the tracker waits or is missing, and tracking goes on.
    private static let survivable = [
        "A database in a folder that does not exist",
        "A control socket in a folder that does not exist", "A metrics file in a folder that does not exist",
        "A password file that is not there",
        "A certificate file that is not there",
    ]

    private func output(_ arguments: [String], of configuration: String) throws -> (text: String, status: Int32) {
        let scratch = try Scratch()
        try scratch.write(configuration, to: "config.yaml")
        let path = scratch.path + "/config.yaml"
        let result = try Daemon.output(arguments.map { $0 == "FILE" ? path : $0 })
        return (result.errors.replacing(path, with: "config.yaml"), result.status)
    }

    @Test("There are at least 40 mistakes, each with its own title.")
    func count() {
        #expect(Self.mistakes.count >= 40)
        #expect(Set(Self.mistakes.map(\.title)).count == Self.mistakes.count)
    }

    @Test(
        "`config check` rejects the mistake with its stored message, which names the place; `TRACKERD_WRITE_DOCS=1` rewrites it."
    )
    func check() throws {
        var sections: [String] = []
        for mistake in Self.mistakes {
            let (text, status) = try output(["config", "check", "FILE"], of: mistake.configuration)
            sections.append(
                Mistake(title: mistake.title, configuration: mistake.configuration, output: text).section)
            #expect(status == 1, "\(mistake.title)")
            #expect(text.hasPrefix("Error: config.yaml:"), "\(mistake.title): \(text)")
            #expect(!text.contains("Yams") && !text.contains("Optional("), "\(mistake.title): \(text)")
            if ProcessInfo.processInfo.environment["TRACKERD_WRITE_DOCS"] == nil {
                #expect(text == mistake.output, "\(mistake.title)")
            }
        }
        if ProcessInfo.processInfo.environment["TRACKERD_WRITE_DOCS"] != nil {
            try sections.joined().write(to: Self.golden, atomically: true, encoding: .utf8)
        }
    }

    @Test("`run` rejects each mistake outside `board` with the same message as `config check`.")
    func run() throws {
        for mistake in Self.mistakes
        where !mistake.configuration.contains("board:") && !Self.survivable.contains(mistake.title) {
            let (text, status) = try output(
                ["run", "--board", "sim", "--config", "FILE"], of: mistake.configuration)
            #expect(status == 1 && text == mistake.output, "\(mistake.title): \(text)")
        }
    }

    @Test("`config check` hints at `syncGeofences` without regions of a server, and accepts `--config`.")
    func hint() throws {
        let scratch = try Scratch()
        let path = scratch.path + "/config.yaml"
        try scratch.write("device: van1\ntracking:\n  syncGeofences: true\n", to: "config.yaml")
        let result = try Daemon.output(["config", "check", "--config", path])
        #expect(result.status == 0)
        #expect(
            result.text.hasPrefix("\(path):3: `syncGeofences` has no effect, because no target permits"), "\(result)")
        #expect(result.text.hasSuffix("\(path): valid, with 0 targets.\n"))
        #expect(try Daemon.output(["config", "check", path, "--config", path]).errors.contains("given twice"))
    }

    @Test(
        "If root runs `config check`, the owner of the folder must be able to write the files.",
        .enabled(if: geteuid() == 0 && getpwnam("trackerd") == nil, "not run as root, or the package is installed"))
    func owner() throws {
        let scratch = try Scratch()
        #expect(chmod(scratch.path, 0o755) == 0 && chown(scratch.path, 65_534, 65_534) == 0)
        let path = scratch.path + "/config.yaml"
        try FileManager.default.createDirectory(atPath: scratch.path + "/db", withIntermediateDirectories: true)
        try scratch.write("device: van1\nstore: {path: \"\(scratch.path)/db/t.sqlite\"}\n", to: "config.yaml")
        let result = try Daemon.output(["config", "check", path])
        #expect(result.status == 1)
        #expect(result.errors.contains(":2: `store.path`: trackerd cannot write to the folder"), "\(result)")
        #expect(chown(scratch.path + "/db", 65_534, 65_534) == 0)
        #expect(try Daemon.output(["config", "check", path]).status == 0)
    }

    @Test("A file that is not UTF-8 is rejected with the line and the remedy.")
    func encoding() throws {
        let scratch = try Scratch()
        let path = scratch.path + "/config.yaml"
        try Data([UInt8]("device: v".utf8) + [0xE4] + [UInt8]("n1\n".utf8)).write(to: URL(fileURLWithPath: path))
        let result = try Daemon.output(["config", "check", path])
        #expect(result.status == 1)
        let words = "this line is not UTF-8 text. Save the file in the encoding UTF-8."
        #expect(result.errors == "Error: \(path):1: \(words)\n")
    }
}
