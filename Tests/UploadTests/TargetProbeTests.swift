import Peers
import Quantities
import Testing

@testable import Upload

@Suite(
    "Trying a server",
    .enabled(if: WebServer.python != nil && Certificate.openssl != nil, "python3 or openssl is missing"))
struct TargetProbeTests {
    private let scratch: Scratch
    private let certificate: Certificate

    init() throws {
        scratch = try Scratch()
        certificate = try Certificate(for: "127.0.0.1", in: scratch)
    }

    @Test("reaches one that listens, and sends nothing")
    func reached() throws {
        let server = try WebServer()
        try server.start(certificate: certificate)
        guard case .reached = try reach(server.secureURL, caFile: certificate.file) else {
            Issue.record("not reached")
            return
        }
        #expect(server.bodies.isEmpty)
    }

    @Test("does not believe a certificate that nobody vouches for")
    func distrusted() throws {
        let server = try WebServer()
        try server.start(certificate: certificate)
        guard case .untrusted = try reach(server.secureURL) else {
            Issue.record("believed")
            return
        }
    }

    @Test("breaks off where TLS is spoken to a server without")
    func plain() throws {
        let server = try WebServer()
        try server.start(denying: false)
        guard case .broken = try reach(server.secureURL) else {
            Issue.record("not broken")
            return
        }
    }

    @Test("finds nobody on a port where nobody listens", arguments: ["https", "mqtts", "http", "mqtt"])
    func unreachable(scheme: String) throws {
        #expect(try reach("\(scheme)://127.0.0.1:\(freePort())") == .unreachable)
    }

    @Test("finds no address for a name that there is not")
    func noName() throws {
        #expect(try reach("https://nowhere.invalid") == .noAddress)
    }

    private func reach(_ url: String, caFile: String? = nil) throws -> TargetProbe.Outcome {
        let target = try UploadTarget(
            name: "home", url: url, format: "owntracks", user: "ada", device: "van", caFile: caFile)
        return TargetProbe(now: { Instant.boot }).reach(target)
    }
}
