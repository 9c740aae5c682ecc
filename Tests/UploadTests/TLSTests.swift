@testable import Formats
import Foundation
import Peers
import Testing
@testable import Upload

@Suite(
    "TLS",
    .enabled(
        if: Broker.program != nil && WebServer.python != nil && Certificate.openssl != nil,
        "mosquitto, python3 or openssl is missing: apt install mosquitto python3 openssl"))
struct TLSTests {
    private let scratch: Scratch
    private let good: Certificate
    private let other: Certificate

    init() throws {
        scratch = try Scratch()
        good = try Certificate(for: "127.0.0.1", in: scratch)
        other = try Certificate(for: "track.example.net", in: scratch)
    }

    @Test("A web server with a trusted certificate gets the records.") func web() throws {
        let server = try WebServer()
        try server.start(certificate: good)
        #expect(try verdict(of: server.secureURL, caFile: good.file) == .delivered)
        #expect(try reason(of: server.secureURL, caFile: nil).contains("is not trusted"))
        #expect(try reason(of: server.secureURL, caFile: other.file).contains("is not trusted"))
        #expect(server.bodies.count == 1)
    }

    @Test("A web server with a certificate for another name gets no records.") func otherWeb() throws {
        let server = try WebServer()
        try server.start(certificate: other)
        #expect(try reason(of: server.secureURL, caFile: other.file).contains("is not trusted"))
        #expect(server.bodies.isEmpty)
    }

    @Test("A broker with a trusted certificate gets the records.") func broker() throws {
        let (url, child) = try secureBroker(good)
        defer { child.kill() }
        #expect(try verdict(of: url, caFile: good.file) == .delivered)
        let reason = "the certificate of 127.0.0.1 is not trusted (it is self-signed; write its file into `caFile`)"
        #expect(try self.reason(of: url, caFile: nil) == reason)
        #expect(try self.reason(of: url, caFile: other.file) == reason)
    }

    @Test("A broker with a certificate for another name gets no records.") func otherBroker() throws {
        let (url, child) = try secureBroker(other)
        defer { child.kill() }
        let reason = "the certificate of 127.0.0.1 is not trusted (it is for another name)"
        #expect(try self.reason(of: url, caFile: other.file) == reason)
    }

    @Test(
        "The reason distinguishes an expired certificate of a broker from one that is not valid yet.",
        arguments: [
            ("20200101000000Z", "20210101000000Z", "it has expired, or the clock of this computer is wrong"),
            ("20900101000000Z", "20910101000000Z", "it is not valid yet, or the clock of this computer is wrong"),
        ])
    func validity(start: String, end: String, fault: String) throws {
        let (url, child) = try secureBroker(
            Certificate(signedBy: good, from: start, until: end, in: scratch))
        defer { child.kill() }
        let reason = "the certificate of 127.0.0.1 is not trusted (\(fault))"
        #expect(try self.reason(of: url, caFile: good.file) == reason)
    }

    @Test(
        "A broker whose certificate is from an unknown authority gets no records, whether or not it also sends the authority's certificate.",
        arguments: [false, true])
    func unknownAuthority(sendsAuthority: Bool) throws {
        let signed = try Certificate(
            signedBy: good, from: "20200101000000Z", until: "20900101000000Z", in: scratch)
        if sendsAuthority {
            let chain = try [signed.file, good.file].map { try String(contentsOfFile: $0, encoding: .utf8) }
            try scratch.write(chain.joined(), to: URL(fileURLWithPath: signed.file).lastPathComponent)
        }
        let (url, child) = try secureBroker(signed)
        defer { child.kill() }
        let fault = "its authority is unknown; write the authority's file into `caFile`"
        let reason = "the certificate of 127.0.0.1 is not trusted (\(fault))"
        #expect(try self.reason(of: url, caFile: nil) == reason)
        #expect(try self.reason(of: url, caFile: other.file) == reason)
        #expect(try verdict(of: url, caFile: good.file) == .delivered)
    }

    @Test("A broker that accepts only clients with a certificate gets the records of a target with a certificate.")
    func clientCertificate() throws {
        let mine = try Certificate(for: "van1.example", in: scratch)
        let (url, child) = try secureBroker(good, clientAuthority: mine)
        defer { child.kill() }
        let known = TargetAccess(caFile: good.file, certificateFile: mine.file, keyFile: mine.key)
        #expect(try verdict(of: url, known) == .delivered)
        let reason = try self.reason(of: url, caFile: good.file)
        // The alert may get lost when the broker closes the connection; the vaguer reason then contains these words too.
        #expect(reason.contains("requires a client certificate"), "\(reason)")
        let mixed = TargetAccess(caFile: good.file, certificateFile: mine.file, keyFile: good.key)
        guard case .retry(let fault, after: _) = try verdict(of: url, mixed) else { throw Unexpected() }
        #expect(fault.hasPrefix("`certificateFile` or `keyFile` cannot be used ("), "\(fault)")
    }

    @Test("A server that speaks only TLS 1.1 gets no connection, over HTTP and MQTT.", arguments: ["https", "mqtts"])
    func formerVersion(scheme: String) throws {
        let server = try ScriptServer(Self.formerServer, arguments: [good.file, good.key])
        #expect(eventually { server.notes == ["TLSv1.1"] }, "The script's own client connects.")
        let reason = try self.reason(of: "\(scheme)://127.0.0.1:\(server.port)", caFile: good.file)
        #expect(reason.contains("alert protocol version") || reason.contains("unsupported protocol"), "\(reason)")
        #expect(server.notes == ["TLSv1.1"])
    }

    /// A server that notes the version of each connection, and speaks only TLS 1.1; its own client makes the first connection.
    private static let formerServer = #"""
        import warnings
        warnings.simplefilter("ignore")

        def only_former(context):
            context.set_ciphers("ALL:@SECLEVEL=0")
            context.minimum_version = context.maximum_version = ssl.TLSVersion.TLSv1_1
            return context

        server = only_former(ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER))
        server.load_cert_chain(words[0], words[1])
        listener = socket.create_server(("127.0.0.1", port))

        def serve(client):
            try: note(server.wrap_socket(client, server_side=True).version())
            except OSError: client.close()

        def accept():
            while True: serve(listener.accept()[0])

        threading.Thread(target=accept, daemon=True).start()
        client = only_former(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
        client.load_verify_locations(words[0])
        client.wrap_socket(socket.create_connection(("127.0.0.1", port)), server_hostname="127.0.0.1")
        while not os.path.exists(folder + "/notes"): time.sleep(0.01)
        ready()
        threading.Event().wait()
        """#

    @Test(
        "The error is always the same if a broker ends the connection after the handshake.",
        arguments: [
            "client.unwrap()", "client.close()",
            "client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))",
        ])
    func ended(action: String) throws {
        let server = try ScriptServer(Self.endingServer, arguments: [good.file, good.key, action])
        let reason = try self.reason(of: "mqtts://127.0.0.1:\(server.port)", caFile: good.file)
        let words =
            "perhaps it does not speak MQTT over TLS on this port, or requires a client certificate (`certificateFile`)"
        #expect(reason == "127.0.0.1 closes the connection without an answer; \(words)")
    }

    /// A server that reads the client's first message after the handshake, and ends the connection.
    private static let endingServer = #"""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(words[0], words[1])
        listener = socket.create_server(("127.0.0.1", port))
        ready()
        while True:
            try:
                client = context.wrap_socket(listener.accept()[0], server_side=True)
                client.recv(1000)
                exec(words[2])
                client.close()
            except OSError: pass
        """#

    private func secureBroker(
        _ certificate: Certificate, clientAuthority: Certificate? = nil
    ) throws -> (url: String, child: Child) {
        guard let program = Broker.program else { throw PeerMissing(name: "mosquitto") }
        let port = freePort()
        let rules = [
            "listener \(port) 127.0.0.1", "allow_anonymous true", "certfile \(certificate.file)",
            "keyfile \(certificate.key)", "user root", "",
        ]
        let clients = clientAuthority.map { ["cafile \($0.file)", "require_certificate true", ""] } ?? []
        try scratch.write((rules + clients).joined(separator: "\n"), to: "conf")
        let child = try Child(program, ["-c", "\(scratch.path)/conf"])
        guard eventually({ isListening(port) }) else { throw PeerMissing(name: "the broker") }
        return ("mqtts://127.0.0.1:\(port)", child)
    }

    private func verdict(of url: String, caFile: String?) throws -> Verdict? {
        try verdict(of: url, TargetAccess(caFile: caFile))
    }

    private func verdict(of url: String, _ access: TargetAccess) throws -> Verdict? {
        let target = try UploadTarget(
            name: "home", url: url, format: "owntracks", user: "fleet", device: "van1", access: access)
        // The timeout is long, because these tests check only which server the client trusts, and the machine may be busy.
        var driver = try Driver(target, TransportTimeouts(connect: .seconds(50)))
        driver.send(1)
        defer { driver.transport.close() }
        return driver.verdicts(1)[1]
    }

    private func reason(of url: String, caFile: String?) throws -> String {
        try verdict(of: url, caFile: caFile)?.passingReason ?? "(believed)"
    }
}
