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
}
