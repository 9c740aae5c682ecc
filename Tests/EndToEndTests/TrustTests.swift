import Foundation
import Peers
import Testing

/// Two certificate authorities, and a certificate for this machine from each of them.
private struct Authorities {
    let scratch: Scratch

    init() throws {
        scratch = try Scratch()
        for name in ["own", "other"] {
            try openssl(
                "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=\(name) -keyout \(name)-ca.key -out \(name)-ca.pem"
            )
            try openssl(
                "req -newkey rsa:2048 -nodes -subj /CN=127.0.0.1 -keyout \(name).key -out \(name).csr")
            try scratch.write("subjectAltName=IP:127.0.0.1\n", to: "extensions")
            try openssl(
                "x509 -req -in \(name).csr -CA \(name)-ca.pem -CAkey \(name)-ca.key -CAcreateserial -days 2 "
                    + "-extfile extensions -out \(name).pem")
        }
        // The system trusts only the other authority. The name of its file is a hash of the authority's name.
        try openssl("x509 -in other-ca.pem -noout -hash", to: "hash")
        let hash = scratch.lines(of: "hash").first ?? ""
        try FileManager.default.createDirectory(atPath: system, withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: file("other-ca.pem"), toPath: "\(system)/\(hash).0")
        try FileManager.default.copyItem(atPath: file("other-ca.pem"), toPath: "\(system)/ca-certificates.crt")
    }

    var system: String { file("system") }

    /// A command that runs another command on a system that trusts only the other authority.
    var prefix: [String] {
        ["/usr/bin/env", "unshare", "-rm", "sh", "-c", "mount --bind \"$0\" /etc/ssl/certs && exec \"$@\"", system]
    }

    func file(_ name: String) -> String { "\(scratch.path)/\(name)" }

    /// Returns the certificate of this machine that the authority has signed.
    func certificate(of authority: String) -> Certificate {
        Certificate(file: file("\(authority).pem"), key: file("\(authority).key"))
    }

    private func openssl(_ words: String, to output: String = "output") throws {
        let command = "cd '\(scratch.path)' && openssl \(words) > \(output) 2> errors"
        try Child("/bin/sh", ["-c", command]).wait()
    }

    static let isPossible: Bool = {
        let words = ["-c", "unshare -rm mount --bind /tmp /etc/ssl/certs && touch \"$0\""]
        guard let scratch = try? Scratch(), let child = try? Child("/bin/sh", words + ["\(scratch.path)/done"]) else {
            return false
        }
        child.wait()
        return FileManager.default.fileExists(atPath: "\(scratch.path)/done")
    }()
}

@Suite(
    "A target with its own certificate authority (`caFile`)",
    .enabled(
        if: Authorities.isPossible && WebServer.python != nil && Certificate.openssl != nil,
        "no namespaces for this user (unshare -rm), or python3 or openssl is missing"))
struct TrustTests {
    private let authorities: Authorities
    private let server: WebServer
    private let vehicle: Vehicle

    init() throws {
        authorities = try Authorities()
        server = try WebServer()
        let caFile = authorities.file("own-ca.pem")
        vehicle = try Vehicle(targets: [
            "{name: home, url: \"\(server.secureURL)\", caFile: \"\(caFile)\", username: me, password: secret}"
        ])
    }

    @Test("A server with a certificate that only the system's authorities signed gets neither password nor record.")
    func foreign() throws {
        try server.start(certificate: authorities.certificate(of: "other"))
        let daemon = try vehicle.start(prefix: authorities.prefix)
        #expect(eventually { daemon.logged.contains("home: ") || !server.requests.isEmpty })
        #expect(daemon.logged.contains("the certificate of 127.0.0.1 is not trusted"))
        #expect(server.requests.isEmpty)
        #expect(daemon.endInTime() == 0)
    }

    @Test("A server with a certificate that the `caFile` authority signed is trusted.")
    func own() throws {
        try server.start(certificate: authorities.certificate(of: "own"))
        let daemon = try vehicle.start(prefix: authorities.prefix)
        #expect(eventually { !server.requests.isEmpty })
        #expect(!daemon.logged.contains("home: "))
        #expect(daemon.endInTime() == 0)
    }

    @Test("The doctor trusts the `caFile` authority and no other.")
    func doctor() throws {
        try server.start(certificate: authorities.certificate(of: "other"))
        let command = authorities.prefix + [Daemon.program, "doctor", "--config", vehicle.config]
        let child = Process()
        let output = Pipe()
        child.executableURL = URL(fileURLWithPath: command[0])
        child.arguments = Array(command.dropFirst())
        child.standardOutput = output
        try child.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        child.waitUntilExit()
        #expect(text.contains("home: the certificate of 127.0.0.1 is not trusted"))
    }
}
