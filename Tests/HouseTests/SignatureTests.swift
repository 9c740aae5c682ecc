import Foundation
import Testing

private let hasGnuPG = FileManager.default.isExecutableFile(atPath: "/usr/bin/gpg")

@Suite("The check of a download's signature", .enabled(if: hasGnuPG, "not installed: gpg"))
struct SignatureTests {
    /// The folder with keys, a file and its signature.
    ///
    /// The path is short, because GnuPG makes a socket in the folder.
    private let folder: String
    private let fingerprint: String

    init() throws {
        folder = "/tmp/trackerd-gpg-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let made = try Self.shell(
            """
            cd \(folder)
            gpg --homedir . --batch --quiet --passphrase '' --quick-gen-key 'A <a@example.net>' ed25519 sign 1y
            echo whole >file
            gpg --homedir . --batch --output file.sig --detach-sign file
            gpg --homedir . --armor --export >keys.asc
            gpg --homedir . --with-colons --list-keys | awk -F: '/^fpr/ {print $10; exit}'
            """)
        fingerprint = made.output.split(separator: "\n").last.map(String.init) ?? ""
        try #require(fingerprint.count == 40, "\(made.errors)")
    }

    private func verify(_ keys: String...) throws -> (status: Int32, output: String, errors: String) {
        let script = root.appendingPathComponent("scripts/lib/verify_signature").path
        return try Self.shell("cd \(folder) && \(script) file file.sig keys.asc \(keys.joined(separator: " "))")
    }

    @Test("Only the unchanged file with the signature of an expected key is accepted.")
    func accepts() throws {
        defer { _ = try? Self.shell("gpgconf --homedir \(folder) --kill all; rm -rf \(folder)") }
        let other = String(repeating: "0", count: 40)
        #expect(try verify(fingerprint).status == 0)
        #expect(try verify(other, fingerprint).status == 0)
        let stranger = try verify(other)
        #expect(stranger.status == 1)
        #expect(stranger.errors == "file is signed by the unknown key \(fingerprint)\n")
        try Data("changed\n".utf8).write(to: URL(fileURLWithPath: folder + "/file"))
        let changed = try verify(fingerprint)
        #expect(changed.status == 1)
        #expect(changed.errors == "file.sig is not a valid signature of file\n")
    }

    private static func shell(_ text: String) throws -> (status: Int32, output: String, errors: String) {
        let process = Process()
        let (output, errors) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", text]
        (process.standardOutput, process.standardError) = (output, errors)
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let errorText = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text, errorText)
    }
}
