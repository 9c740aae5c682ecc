import Contracts
@testable import Formats
import Foundation
import Peers
import Testing
@testable import Upload

private let needsTools = Comment("python3 or openssl is missing: apt install python3 openssl")

@Suite("Access to a web server", .enabled(if: WebServer.python != nil && Certificate.openssl != nil, needsTools))
struct AccessTests {
    private let scratch: Scratch
    private let server: WebServer

    init() throws {
        scratch = try Scratch()
        server = try WebServer()
    }

    @Test("Each request contains the bearer token and the owner's header lines, with secrets as their files are now.")
    func token() throws {
        try server.start()
        try server.answer("token")
        try scratch.write("wrong\n", to: "token")
        let headers = [TargetAccess.Header(name: "X-Key", value: SecretSource("k3y"))]
        var driver = try driver(
            server.url, TargetAccess(token: .file(scratch.path + "/token"), headers: headers))
        driver.send(1)
        guard case .unauthorised = driver.verdicts(1)[1] else { Issue.record("The wrong token was accepted."); return }
        try scratch.write("s3same\nsecond line\n", to: "token")
        driver.send(2)
        #expect(driver.verdicts(1) == [2: .delivered])
    }

    @Test("A report names a secret whose file is gone, and the records wait.")
    func missing() throws {
        try server.start()
        var driver = try driver(server.url, TargetAccess(token: .file("/nonexistent")))
        driver.send(1)
        #expect(
            driver.verdicts(1) == [1: .unauthorised(reason: "the secret in /nonexistent cannot be read")])
        #expect(server.bodies.isEmpty)
    }

    @Test("A server that accepts only clients with a certificate gets the records of a target with a certificate.")
    func certificate() throws {
        let certificate = try Certificate(for: "127.0.0.1", in: scratch)
        let mine = try Certificate(for: "van1.example", in: scratch)
        try server.start(certificate: certificate, clientAuthority: mine.file)
        var anonymous = try driver(server.secureURL, TargetAccess(caFile: certificate.file))
        let remedy = "set `certificateFile` and `keyFile`"
        var reason = ""
        // The server's alert may get lost, because the server ends the connection immediately afterwards. A later attempt then
        // shows it.
        for id in 1...20 where !reason.contains(remedy) {
            anonymous.send(id)
            reason = anonymous.reason(of: id) ?? "delivered"
            #expect(reason.contains(remedy) || reason.contains("the connection to 127.0.0.1 broke"), "\(reason)")
        }
        #expect(reason.contains(remedy), "\(reason)")
        var known = try driver(
            server.secureURL,
            TargetAccess(caFile: certificate.file, certificateFile: mine.file, keyFile: mine.key))
        known.send(1)
        #expect(known.verdicts(1) == [1: .delivered])
        var broken = try driver(
            server.secureURL,
            TargetAccess(caFile: certificate.file, certificateFile: mine.file, keyFile: certificate.key))
        broken.send(1)
        #expect(broken.reason(of: 1)?.hasPrefix("`certificateFile` or `keyFile` cannot be used (") == true)
    }

    @Test("A key with a password fails at once, and no transport waits for the password.", .timeLimit(.minutes(1)))
    func password() throws {
        let mine = try Certificate(for: "van1.example", in: scratch)
        let locked = scratch.path + "/locked.key"
        try Child(
            try #require(Certificate.openssl),
            ["rsa", "-aes256", "-passout", "pass:secret", "-in", mine.key, "-out", locked]
        ).wait()
        let listener = try Certificate(for: "127.0.0.1", in: scratch)
        try server.start(certificate: listener, clientAuthority: mine.file)
        let access = TargetAccess(caFile: listener.file, certificateFile: mine.file, keyFile: locked)
        for url in [server.secureURL, "mqtts://127.0.0.1:\(freePort())"] {
            var driver = try driver(url, access)
            driver.send(1)
            let reason = driver.reason(of: 1) ?? ""
            #expect(reason.contains("the key must be PEM without a password"), "\(url): \(reason)")
        }
    }

    @Test("An answer with more header lines than any server needs is no delivery.")
    func longHead() throws {
        try server.start()
        try server.answer("long head")
        var driver = try driver(server.url, TargetAccess())
        driver.send(1)
        #expect(driver.reason(of: 1) == "127.0.0.1 answers with more than 64 KiB of header lines")
    }

    private func driver(_ url: String, _ access: TargetAccess) throws -> Driver {
        try Driver(
            try UploadTarget(
                name: "home", url: url, format: "owntracks", user: "fleet", device: "van1", access: access),
            TransportTimeouts(connect: .seconds(50)))
    }
}

@Suite("The watch over secrets")
struct SecretWatchTests {
    @Test("A replaced or rewritten secret is noticed, but not a change of another file in its folder.")
    func change() throws {
        let scratch = try Scratch()
        try scratch.write("a", to: "password")
        let watch = try #require(SecretWatch([scratch.path + "/password"]))
        #expect(!watch.takeChange())
        try scratch.write("x", to: "other")
        #expect(!watch.takeChange())
        try scratch.write("b", to: "password")
        #expect(watch.takeChange())
        #expect(!watch.takeChange())
        try Data("c".utf8).write(to: URL(fileURLWithPath: scratch.path + "/password"))
        #expect(watch.takeChange())
    }
}
