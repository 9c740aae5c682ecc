@testable import Formats
import Foundation
import Peers
import Testing
@testable import Upload

@Suite(
    "A target at an IPv6 address",
    .enabled(
        if: Broker.program != nil && WebServer.python != nil && Certificate.openssl != nil,
        "mosquitto, python3 or openssl is missing: apt install mosquitto python3 openssl"),
    .enabled(if: hasLoopback, "the kernel has no address ::1"))
struct IPv6Tests {
    private let scratch: Scratch
    private let certificate: Certificate

    init() throws {
        scratch = try Scratch()
        certificate = try Certificate(for: "::1", in: scratch)
    }

    @Test("A web server at [::1] gets the records, with and without TLS.", arguments: ["http", "https"])
    func web(scheme: String) throws {
        let keys = scheme == "https" ? [certificate.file, certificate.key] : []
        let server = try ScriptServer(Self.webServer, arguments: keys)
        #expect(try verdict(of: "\(scheme)://[::1]:\(server.port)/pub") == .delivered)
        #expect(server.notes == ["/pub [::1]:\(server.port)"])
    }

    @Test("A broker at [::1] gets the records, with and without TLS.", arguments: ["mqtt", "mqtts"])
    func broker(scheme: String) throws {
        guard let program = Broker.program else { throw PeerMissing(name: "mosquitto") }
        let (port, open) = (freePort(), freePort())
        let keys = scheme == "mqtts" ? ["certfile \(certificate.file)", "keyfile \(certificate.key)"] : []
        // The broker opens the second listener last, and the test can wait only for a listener of IPv4.
        let rules =
            ["listener \(port) ::1"] + keys + ["listener \(open) 127.0.0.1", "allow_anonymous true", "user root", ""]
        try scratch.write(rules.joined(separator: "\n"), to: "conf")
        let child = try Child(program, ["-c", "\(scratch.path)/conf"])
        defer { child.kill() }
        guard eventually({ isListening(open) }) else { throw PeerMissing(name: "the broker") }
        #expect(try verdict(of: "\(scheme)://[::1]:\(port)") == .delivered)
    }

    private func verdict(of url: String) throws -> Verdict? {
        let target = try UploadTarget(
            name: "home", url: url, format: "owntracks", user: "fleet", device: "van1",
            access: TargetAccess(caFile: certificate.file))
        var driver = try Driver(target, TransportTimeouts(connect: .seconds(50)))
        defer { driver.transport.close() }
        driver.send(1)
        return driver.verdicts(1)[1]
    }

    private static let webServer = #"""
        import http.server

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                note(self.path + " " + self.headers["Host"])
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", "2")
                self.end_headers()
                self.wfile.write(b"[]")

            def log_message(self, *words): pass

        class Server(http.server.ThreadingHTTPServer): address_family = socket.AF_INET6

        server = Server(("::1", port), Handler)
        if words:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(words[0], words[1])
            server.socket = context.wrap_socket(server.socket, server_side=True)
        ready()
        server.serve_forever()
        """#
}

/// Whether the kernel has the address ::1.
private let hasLoopback =
    (try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8))?.contains("00000000000000000000000000000001")
    == true
