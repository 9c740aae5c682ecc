import Foundation
import Glibc
import Peers
import Testing

@Suite("A configuration on the boot partition")
struct AdoptTests {
    private let scratch: Scratch
    private var file: String { scratch.path + "/etc/config.yaml" }
    private var source: String { scratch.path + "/boot.yaml" }

    init() throws {
        scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path + "/etc", withIntermediateDirectories: true)
    }

    private func adopt() throws -> (text: String, errors: String, status: Int32) {
        try Daemon.output(["setup", "--adopt", source, "--config", file])
    }

    @Test(
        "The adoption uses the board that the options of the service name.",
        arguments: ["--log-level debug --board nosuch", "--board=nosuch"])
    func boardOfService(options: String) throws {
        try scratch.write("device: van1\nboard: auto\n", to: "boot.yaml")
        let arguments = ["setup", "--adopt", source, "--config", file]
        let refusal = try Daemon.output(arguments, environment: ["OPTIONS": options])
        #expect(refusal.status != 0 && refusal.errors.contains("`nosuch` is not a known board"), "\(refusal.errors)")
        let options = options.replacingOccurrences(of: "nosuch", with: "bare")
        let adoption = try Daemon.output(arguments, environment: ["OPTIONS": options])
        #expect(adoption.status == 0 && content(source) == nil, "\(adoption.errors)")
    }

    private func content(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    @Test("A file on the boot partition moves to the configuration's place, where only its owner may read it.")
    func adopts() throws {
        try scratch.write("device: van1\n", to: "boot.yaml")
        let first = try adopt()
        #expect(
            first.status == 0 && first.text == "\(file) now contains the configuration from \(source).\n", "\(first)")
        #expect(content(file) == "device: van1\n" && content(source) == nil)
        var entry = stat()
        #expect(stat(file, &entry) == 0 && entry.st_mode & 0o777 == 0o600)

        try scratch.write("device: van2\n", to: "boot.yaml")
        let second = try adopt()
        #expect(second.text.hasSuffix("The former configuration is now \(file).1.\n"))
        #expect(content(file) == "device: van2\n" && content(file + ".1") == "device: van1\n")
    }

    @Test("After a power cut between copy and removal, the next start removes the file and makes no second copy.")
    func interrupted() throws {
        try scratch.write("device: van1\n", to: "boot.yaml")
        try scratch.write("device: van1\n", to: "etc/config.yaml")
        let again = try adopt()
        #expect(again.status == 0 && again.text.isEmpty)
        #expect(content(source) == nil && content(file + ".1") == nil)
    }

    @Test("A file with an error and the former configuration remain, and the message names the line of the error.")
    func refused() throws {
        try scratch.write("device: van1\n", to: "etc/config.yaml")
        try scratch.write("device: van2\ntargts: []\n", to: "boot.yaml")
        let refusal = try adopt()
        #expect(refusal.status != 0 && refusal.errors.contains("\(source):2: "), "\(refusal.errors)")
        #expect(content(file) == "device: van1\n" && content(source) != nil)
    }

    @Test(
        "A file with which the daemon could not start has no effect, and the former configuration remains.",
        arguments: [
            ("board: pi44", "`pi44` is not a known board. Did you mean `pi4`?"),
            ("board: {base: pi4, accelerometer: {chip: FOO}}", "`board.accelerometer.chip`"),
            ("store: {path: /nonexistent/t.sqlite}", "`store.path`: the folder /nonexistent does not exist."),
        ])
    func unfit(line: String, message: String) throws {
        try scratch.write("device: van1\n", to: "etc/config.yaml")
        try scratch.write("device: van2\n\(line)\n", to: "boot.yaml")
        let refusal = try adopt()
        #expect(refusal.status != 0 && refusal.errors.contains("\(source):2: "), "\(refusal.errors)")
        #expect(refusal.errors.contains(message), "\(refusal.errors)")
        #expect(content(file) == "device: van1\n" && content(file + ".1") == nil && content(source) != nil)
    }

    @Test(
        "Root rejects a file whose password the owner of the folder cannot read, and adopts it when the owner can.",
        .enabled(if: geteuid() == 0, "not run as root"))
    func password() throws {
        let nobody: uid_t = 65_534
        try scratch.write("device: van1\n", to: "etc/config.yaml")
        try scratch.write("secret\n", to: "etc/password")
        try scratch.write(
            """
            device: van2
            targets:
              - {url: "https://track.example.net/pub", username: me, passwordFile: "\(scratch.path)/etc/password"}

            """, to: "boot.yaml")
        #expect(chmod(scratch.path, 0o755) == 0 && chmod(scratch.path + "/etc/password", 0o600) == 0)
        #expect(chown(scratch.path + "/etc", nobody, nobody) == 0)
        let refusal = try adopt()
        #expect(refusal.status != 0 && refusal.errors.contains("must be a file that trackerd can read"), "\(refusal)")
        #expect(content(file) == "device: van1\n" && content(source) != nil)
        #expect(chown(scratch.path + "/etc/password", nobody, nobody) == 0)
        let adopted = try adopt()
        #expect(adopted.status == 0, "\(adopted)")
        var entry = stat()
        #expect(stat(file, &entry) == 0 && entry.st_uid == nobody && entry.st_mode & 0o777 == 0o600)
    }
}
