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
        #expect(try answer(server.secureURL, caFile: certificate.file) == .plausible(status: 200))
        #expect(server.bodies == [""])
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

    @Test(
        "The probe reports the meaning of a web server's answer, and sends no record.",
        arguments: [
            ("200", ProbeAnswer.plausible(status: 200)), ("400", .plausible(status: 400)),
            ("404", .notFound(status: 404)), ("403", .forbidden), ("500", .outOfOrder(status: 500)),
            ("405", .plausible(status: 405)), ("html", .page(status: 200)),
            ("refuse 400 The plain HTTP request was sent to HTTPS port", .wantsTLS),
            ("refuse 400 No required SSL certificate was sent", .wantsCertificate),
        ])
    func answers(manner: String, expected: ProbeAnswer) throws {
        let server = try WebServer()
        try server.start()
        try server.answer(manner)
        #expect(try answer(server.url) == expected)
        #expect(server.bodies == [""])
    }

    @Test(
        "The probe reports whether credentials are accepted.", arguments: [("wrong", true), ("secret", false)])
    func credentials(password: String, isRejected: Bool) throws {
        let server = try WebServer()
        try server.start(denying: true)
        let target = try UploadTarget(
            name: "home", url: server.url, format: "owntracks", user: "ada", device: "van",
            access: TargetAccess(username: "me", password: SecretSource(password)))
        guard case .answered(let answer, _) = TargetProbe(now: { Instant.boot }).reach(target) else {
            Issue.record("The server did not answer.")
            return
        }
        #expect(answer == (isRejected ? .unauthorised(status: 401) : .plausible(status: 200)))
    }

    @Test("The probe reports a webhook that Home Assistant does not know.")
    func webhook() throws {
        let server = try WebServer()
        try server.start()
        let url = server.url.replacing("/pub", with: "/api/webhook/x")
        try server.answer("405")
        #expect(try answer(url) == .plausible(status: 405))
        try server.answer("body ")
        #expect(try answer(url) == .unknownWebhook)
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
        arguments: ["https", "http"])
    func unreachable(scheme: String) throws {
        #expect(try reach("\(scheme)://127.0.0.1:\(freePort())") == .unreachable)
    }

    @Test("The probe of a broker names the version of MQTT, and reports a missing broker.")
    func broker() throws {
        let broker = try ScriptedBroker(.init())
        guard case .broker(.accepted(_, isFormerVersion: false)) = try reach(broker.url) else {
            Issue.record("The broker was not reached.")
            return
        }
        // A probe with the client id of the daemon would end the daemon's connection.
        #expect(broker.notes("connect").map(\.client) == ["trackerd-ada-van-home-doctor"])
        #expect(broker.notes("publish").map(\.topic) == ["owntracks/ada/van"])
        let forbidding = try ScriptedBroker(.with { $0.pubacks = ["van": 0x87] })
        let rules = "the broker's access rules forbid publishing to `owntracks/ada/van`"
        #expect(try reach(forbidding.url) == .broker(.unpublishable(rules)))
        let former = try ScriptedBroker(.with { $0.mqtt5 = "refuse" })
        guard case .broker(.accepted(_, isFormerVersion: true)) = try reach(former.url) else {
            Issue.record("The older version was not noticed.")
            return
        }
        #expect(former.notes("publish").isEmpty)
        let refusing = try ScriptedBroker(.with { $0.connack = 0x86 })
        let reason = "the broker rejects this client (bad user name or password)"
        #expect(try reach(refusing.url) == .broker(.unauthorised(reason)))
        guard case .broker(.failed(let reason)) = try reach("mqtt://127.0.0.1:\(freePort())") else {
            Issue.record("A missing broker was reached.")
            return
        }
        #expect(reason.contains("no broker listens there"))
    }

    @Test("The probe reports a name without an address.")
    func noName() throws {
        #expect(try reach("https://nowhere.invalid") == .noAddress)
    }

    private func answer(_ url: String, caFile: String? = nil) throws -> ProbeAnswer? {
        guard case .answered(let answer, _) = try reach(url, caFile: caFile) else { return nil }
        return answer
    }

    private func reach(_ url: String, caFile: String? = nil) throws -> TargetProbe.Outcome {
        let target = try UploadTarget(
            name: "home", url: url, format: "owntracks", user: "ada", device: "van",
            access: TargetAccess(caFile: caFile))
        return TargetProbe(now: { Instant.boot }).reach(target)
    }
}
