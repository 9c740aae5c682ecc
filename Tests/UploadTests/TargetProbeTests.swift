import Peers
import Quantities
import Testing

@testable import Upload

@Suite(
    "The target probe",
    .enabled(if: WebServer.python != nil && Certificate.openssl != nil, "python3 or openssl is missing"))
struct TargetProbeTests {
    private let scratch: Scratch
    private let certificate: Certificate

    init() throws {
        scratch = try Scratch()
        certificate = try Certificate(for: "127.0.0.1", in: scratch)
    }

    @Test("The probe reaches a listening server, and sends no data.")
    func reached() throws {
        let server = try WebServer()
        try server.start(certificate: certificate)
        guard case .reached = try reach(server.secureURL, caFile: certificate.file) else {
            Issue.record("The server was not reached.")
            return
        }
        #expect(server.bodies.isEmpty)
    }

    @Test("The probe reports an untrusted certificate.")
    func distrusted() throws {
        let server = try WebServer()
        try server.start(certificate: certificate)
        guard case .untrusted = try reach(server.secureURL) else {
            Issue.record("The certificate was trusted.")
            return
        }
    }

    @Test("The probe reports a broken connection if the server does not speak TLS.")
    func plain() throws {
        let server = try WebServer()
        try server.start(denying: false)
        guard case .broken = try reach(server.secureURL) else {
            Issue.record("The connection was not broken.")
            return
        }
    }

    @Test(
        "The probe reports an unreachable server if no program listens on the port.",
        arguments: ["https", "mqtts", "http", "mqtt"])
    func unreachable(scheme: String) throws {
        #expect(try reach("\(scheme)://127.0.0.1:\(freePort())") == .unreachable)
    }

    @Test("The probe reports a name without an address.")
    func noName() throws {
        #expect(try reach("https://nowhere.invalid") == .noAddress)
    }

    private func reach(_ url: String, caFile: String? = nil) throws -> TargetProbe.Outcome {
        let target = try UploadTarget(
            name: "home", url: url, format: "owntracks", user: "ada", device: "van", caFile: caFile)
        return TargetProbe(now: { Instant.boot }).reach(target)
    }
}
