import Foundation
import Peers
import Testing

@Suite(
    "A target behind nginx",
    .enabled(
        if: Nginx.program != nil && Certificate.openssl != nil,
        "nginx or openssl is missing: apt install nginx-light openssl"))
struct NginxTests {
    private let scratch: Scratch
    private let certificate: Certificate
    private let mine: Certificate
    private let nginx: Nginx

    init() throws {
        scratch = try Scratch()
        certificate = try Certificate(for: "127.0.0.1", in: scratch)
        mine = try Certificate(for: "van1.example", in: scratch)
        nginx = try Nginx(certificate, clientAuthority: mine.file)
    }

    @Test("Records arrive over HTTP/2 with a password from a file, and with a client certificate, compressed.")
    func accepted() throws {
        try scratch.write("secret\n", to: "password")
        let vehicle = try Vehicle(targets: [
            """
            {name: login, url: "https://127.0.0.1:\(nginx.secure)/login", caFile: "\(certificate.file)", username: me, \
            password: {file: "\(scratch.path)/password"}}
            """,
            """
            {name: closed, url: "https://127.0.0.1:\(nginx.closed)/", caFile: "\(certificate.file)", format: geojson, \
            certificateFile: "\(mine.file)", keyFile: "\(mine.key)", compress: gzip}
            """,
        ])
        let daemon = try vehicle.start()
        #expect(
            eventually {
                let done = nginx.requests.filter { $0[1] == "POST" && $0[3] == "200" }
                return done.contains { $0[0] == "\(nginx.secure)" && $0[4] == "HTTP/2.0" }
                    && done.contains { $0[0] == "\(nginx.closed)" && $0[5] == "SUCCESS" && $0[6] == "gzip" }
            }, "\(daemon.logged)")
        let doctor = try Daemon.output(["doctor", "--config", vehicle.config]).text
        for name in ["login", "closed"] {
            #expect(doctor.contains("\(name): 127.0.0.1 answered a GET with status 200"))
        }
        #expect(daemon.endInTime() == 0)
    }

    @Test("The log and the doctor name the fault of the target, and no record is set aside.", arguments: faults)
    func rejected(fault: Fault) throws {
        let port = fault.port == .plain ? nginx.plain : fault.port == .secure ? nginx.secure : nginx.closed
        let vehicle = try Vehicle(targets: [
            "{name: home, url: \"\(fault.scheme)://127.0.0.1:\(port)\(fault.path)\", caFile: \"\(certificate.file)\"\(fault.more)}"
        ])
        let daemon = try vehicle.start()
        #expect(eventually { daemon.logged.contains("home: ") })
        #expect(daemon.logged.contains(fault.logged), "\(daemon.logged)")
        #expect(!daemon.logged.contains("hunter2"))
        let doctor = try Daemon.output(["doctor", "--config", vehicle.config]).text
        #expect(doctor.contains(fault.found), "\(doctor)")
        let queue = try Daemon.output(["queue", "--config", vehicle.config]).text
        #expect(queue.contains(" waiting, 0 set aside ("), "\(queue)")
        #expect(daemon.endInTime() == 0)
    }

    struct Fault: Sendable, CustomTestStringConvertible {
        enum Port { case plain, secure, closed }

        let port: Port
        var scheme = "http"
        let path: String
        var more = ""
        let logged: String
        let found: String

        var testDescription: String { "\(scheme) \(port) \(path)" }
    }

    private static let faults = [
        Fault(
            port: .plain, path: "/login", more: ", username: me, password: wrong",
            logged: "home: the server rejects the credentials", found: "rejects the credentials (status 401)"),
        Fault(
            port: .plain, path: "/moved", logged: "the server redirects to https://new.example/pub (status 308)",
            found: "redirects to https://new.example/pub (status 308)"),
        Fault(
            port: .secure, path: "/pub", logged: "the server expects TLS on this port; write `https://` in `url`",
            found: "expects TLS on this port"),
        Fault(
            port: .closed, scheme: "https", path: "/pub",
            logged: "the server needs a client certificate; set `certificateFile` and `keyFile`",
            found: "expects a client certificate"),
        Fault(
            port: .plain, path: "/none", logged: "status 404", found: "has no page at this path (status 404)"),
        Fault(port: .plain, path: "/small", logged: "status 413", found: "answered a GET with status 200"),
        Fault(port: .plain, path: "/busy", logged: "(status 503:", found: "reports a server error (status 503)"),
        Fault(
            port: .plain, scheme: "https", path: "/pub", logged: "broke (",
            found: "Check that the port matches the scheme."),
    ]
}
