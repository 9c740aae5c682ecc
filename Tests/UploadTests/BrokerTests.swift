import Contracts
@testable import Formats
import Foundation
import Peers
import Quantities
import Testing
@testable import Upload

@Suite("A broker's reason codes", .enabled(if: WebServer.python != nil, "python3 is missing"))
struct BrokerReasonTests {
    @Test("The connection speaks MQTT 5, and a message without a reason is delivered.")
    func version5() throws {
        let broker = try ScriptedBroker(.init())
        #expect(try outcome(broker).verdict == .delivered)
        #expect(broker.notes("connect").map(\.version) == [5])
        #expect(broker.notes("connect").first?.client == "trackerd-fleet-van1-home")
    }

    @Test(
        "trackerd speaks MQTT 3.1.1 at once with a broker without MQTT 5, and reports the consequence.",
        arguments: ["refuse", "ignore", "close"])
    func former(manner: String) throws {
        let broker = try ScriptedBroker(.with { $0.mqtt5 = manner })
        let (verdict, notices) = try outcome(broker)
        #expect(verdict == .delivered)
        #expect(broker.notes("connect").map(\.version) == [5, 4])
        #expect(
            notices == ["the broker speaks only MQTT 3.1.1, so it cannot report that its access rules refuse a record"])
    }

    @Test(
        "A PUBACK with an error is not a delivery.",
        arguments: [
            (0x87, Verdict.refused(reason: "the broker's access rules forbid publishing to `owntracks/fleet/van1`")),
            (0x90, .refused(reason: "the broker refuses a message to `owntracks/fleet/van1` (topic name invalid)")),
            (0x99, .refused(reason: "the broker refuses a message to `owntracks/fleet/van1` (payload format invalid)")),
            (0x80, .refused(reason: "the broker refuses a message to `owntracks/fleet/van1` (it states no reason)")),
            (0x97, .retry(reason: "the broker does not accept the message (quota exceeded)", after: nil)),
            (0x10, .delivered),
        ])
    func puback(code: Int, verdict: Verdict) throws {
        let broker = try ScriptedBroker(.with { $0.pubacks = ["van1": code] })
        #expect(try outcome(broker).verdict == verdict)
    }

    @Test(
        "The reason of a refused connection is reported, with a remedy if one is known.",
        arguments: [
            (0x86, Verdict.unauthorised(reason: "the broker rejects this client (bad user name or password)")),
            (0x87, .unauthorised(reason: "the broker rejects this client (not authorised)")),
            (0x85, refusal("it does not accept the client id; set another `clientId`")),
            (0x89, refusal("it is busy")),
            (0x9D, refusal("the server has moved; write the broker's new address into `url`")),
            (0x9F, refusal("too many connections in this time")),
        ])
    func connack(code: Int, verdict: Verdict) throws {
        let broker = try ScriptedBroker(.with { $0.connack = code })
        #expect(try outcome(broker).verdict == verdict)
    }

    @Test("A broker that ends the connection states the reason.")
    func disconnect() throws {
        let broker = try ScriptedBroker(.with { $0.disconnect = 0x8E })
        let reason = "the broker ends the connection (another client has the same client id)"
        #expect(try outcome(broker).verdict?.passingReason?.hasPrefix(reason) == true)
    }

    private static func refusal(_ words: String) -> Verdict {
        .retry(reason: "the broker refuses the connection (\(words))", after: nil)
    }
}

@Suite("A broker's limits", .enabled(if: WebServer.python != nil, "python3 is missing"))
struct BrokerLimitTests {
    @Test("No more messages are in flight than the broker's Receive Maximum allows.")
    func receiveMaximum() throws {
        let broker = try ScriptedBroker(.with { ($0.properties, $0.delay_ms) = ([0x21, 0, 2], 300) })
        var driver = try Driver(broker.url, "owntracks", TransportTimeouts(connect: .seconds(50)))
        for id in 1...6 { driver.send(id) }
        #expect(driver.verdicts(6).values.allSatisfy { $0 == .delivered })
        #expect(broker.notes("publish").compactMap(\.open).max() == 2)
        driver.transport.close()
    }

    @Test("A message above the broker's Maximum Packet Size is refused, and the connection remains open.")
    func packetSize() throws {
        let broker = try ScriptedBroker(.with { $0.properties = [0x27, 0, 0, 0, 60] })
        #expect(try outcome(broker).verdict == .refused(reason: "too large (the broker accepts 60 bytes)"))
    }

    @Test("A broker that does not retain gets no retained message, and no retained will.")
    func retain() throws {
        let broker = try ScriptedBroker(.with { $0.properties = [0x25, 0] })
        #expect(try outcome(broker, format: "homeassistant").verdict == .delivered)
        #expect(broker.notes("publish").allSatisfy { $0.retain == false })
        let strict = try ScriptedBroker(.with { ($0.properties, $0.connack) = ([0x25, 0], 0x9A) })
        #expect(try outcome(strict, format: "homeassistant").verdict == .delivered)
        #expect(strict.notes("connect").map(\.isWillRetained) == [true, false])
    }

    @Test("A broker that acknowledges no messages gets no records, because their arrival would be unknown.")
    func quality() throws {
        let broker = try ScriptedBroker(.with { $0.properties = [0x24, 0] })
        let reason = "the broker acknowledges no messages (Maximum QoS 0); use a broker that accepts QoS 1"
        #expect(try outcome(broker).verdict?.passingReason?.hasPrefix(reason) == true)
        #expect(broker.notes("publish").isEmpty)
    }

    @Test("The broker's Server Keep Alive replaces the interval of the pings.")
    func keepAlive() throws {
        let broker = try ScriptedBroker(.with { $0.properties = [0x13, 0, 1] })
        var driver = try Driver(broker.url, "owntracks", TransportTimeouts(connect: .seconds(50)))
        driver.send(1)
        #expect(driver.verdicts(1) == [1: .delivered])
        for count in 1...2 {
            driver.advance(by: .seconds(1))
            #expect(driver.drive { broker.notes("ping").count >= count })
        }
        driver.transport.close()
    }

    @Test("A broker with a Server Keep Alive of 0 gets no pings, and the thread does not wake for them.")
    func noKeepAlive() throws {
        let broker = try ScriptedBroker(.with { $0.properties = [0x13, 0, 0] })
        var driver = try Driver(broker.url, "owntracks", TransportTimeouts(connect: .seconds(50)))
        driver.send(1)
        #expect(driver.verdicts(1) == [1: .delivered])
        #expect(driver.transport.deadline == nil)
        driver.transport.close()
    }
}

@Suite(
    "A real broker",
    .enabled(
        if: Broker.program != nil && WebServer.python != nil, "mosquitto or python3 is missing: apt install mosquitto"))
struct RealBrokerTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test("Records are refused if the broker's access rules forbid the user to publish.")
    func accessRules() throws {
        let port = freePort()
        try scratch.write("topic read owntracks/#\n", to: "acl")
        let broker = try broker(["listener \(port) 127.0.0.1", "acl_file \(scratch.path)/acl"], port)
        defer { broker.kill() }
        let reason = "the broker's access rules forbid publishing to `owntracks/fleet/van1`"
        #expect(try outcome("mqtt://127.0.0.1:\(port)").verdict == .refused(reason: reason))
    }

    @Test("An idle connection is closed with DISCONNECT if the owner sets this, and the next record opens a new one.")
    func idle() throws {
        let broker = try Broker()
        try broker.start()
        let options = MQTTOptions(idleDisconnect: .seconds(1))
        var driver = try Driver(target: .sample(broker.url, "owntracks", mqtt: options))
        for id in 1...2 {
            driver.send(id)
            #expect(driver.verdicts(1) == [id: .delivered])
            let transport = driver.transport
            #expect(driver.drive { transport.watches.isEmpty })
            #expect(driver.transport.deadline == nil)
        }
        driver.transport.close()
    }

    @Test("An error reports that the port speaks another protocol.")
    func otherPort() throws {
        let web = "a web server answers on this port of 127.0.0.1; write the MQTT port into `url` (usually 1883)"
        let server = try ScriptServer(Self.webServer)
        #expect(try reason("mqtt://127.0.0.1:\(server.port)") == web)
        let broker = try Broker()
        try broker.start()
        var driver = try Driver(target: .sample(broker.url.replacing("mqtt:", with: "mqtts:"), "owntracks"))
        defer { driver.transport.close() }
        driver.send(1)
        // Read as MQTT, the first byte of the TLS handshake (0x16) is that of a CONNECT.
        #expect(driver.drive { broker.count(.connect) == 1 })
        driver.advance(by: .seconds(50))
        #expect(driver.reason(of: 1) == "127.0.0.1 does not answer in time; check that it speaks TLS on this port")
    }

    @Test("The error is always the same if a server resets the connection instead of a handshake.")
    func resetHandshake() throws {
        let server = try ScriptServer(Self.resettingServer)
        let reasons = try Set((0..<12).map { _ in try reason("mqtts://127.0.0.1:\(server.port)") })
        #expect(
            reasons == [
                "127.0.0.1 closes the connection without an answer; perhaps it does not speak MQTT over TLS on this port, "
                    + "or requires a client certificate (`certificateFile`)"
            ])
    }

    @Test(
        "An error reports that the port speaks TLS.", .enabled(if: Certificate.openssl != nil, "openssl is missing"))
    func securePort() throws {
        let port = freePort()
        let certificate = try Certificate(for: "127.0.0.1", in: scratch)
        let rules = ["certfile \(certificate.file)", "keyfile \(certificate.key)"]
        let child = try broker(["listener \(port) 127.0.0.1"] + rules, port)
        defer { child.kill() }
        #expect(
            try reason("mqtt://127.0.0.1:\(port)")
                == "127.0.0.1 closes the connection without an answer; perhaps it does not speak MQTT without TLS on this port"
        )
    }

    private func reason(_ url: String) throws -> String {
        try outcome(url).verdict?.passingReason ?? "(delivered)"
    }

    private func broker(_ rules: [String], _ port: UInt16) throws -> Child {
        guard let program = Broker.program else { throw PeerMissing(name: "mosquitto") }
        let text = (rules + ["allow_anonymous true", "user root", ""]).joined(separator: "\n")
        try scratch.write(text, to: "conf")
        let child = try Child(program, ["-c", "\(scratch.path)/conf"])
        guard eventually({ isListening(port) }) else { throw PeerMissing(name: "the broker") }
        return child
    }

    private static let resettingServer = #"""
        listener = socket.create_server(("127.0.0.1", port))
        ready()
        pause = 0
        while True:
            client, _ = listener.accept()
            client.recv(1)
            # The reset meets trackerd at another point each time.
            pause = (pause + 0.000037) % 0.0003
            end = time.monotonic() + pause
            while time.monotonic() < end: pass
            # Unread bytes make the kernel reset the connection.
            client.close()
        """#

    private static let webServer = #"""
        listener = socket.create_server(("127.0.0.1", port))
        ready()
        while True:
            client, _ = listener.accept()
            client.recv(4096)
            client.sendall(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            client.close()
        """#
}

private func outcome(_ broker: ScriptedBroker, format: String = "owntracks") throws -> (
    verdict: Verdict?, notices: [String]
) {
    try outcome(broker.url, format: format)
}

private func outcome(_ url: String, format: String = "owntracks") throws -> (verdict: Verdict?, notices: [String]) {
    var driver = try Driver(url, format, TransportTimeouts(connect: .seconds(50)))
    defer { driver.transport.close() }
    driver.send(1)
    let verdict = driver.verdicts(1)[1]
    return (verdict, driver.transport.takeNotices())
}
