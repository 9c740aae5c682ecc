@testable import Delivery
@testable import Formats
import Peers
import Testing
@testable import Upload

private let needsPython = Comment("python3 is missing: apt install python3")
private let needsBroker = Comment("mosquitto or python3 is missing: apt install mosquitto python3")

@Suite("HTTP", .enabled(if: WebServer.python != nil, needsPython))
struct HTTPTests {
    private let server: WebServer
    private let contract: TransportContract

    init() throws {
        server = try WebServer()
        contract = TransportContract(peer: server, format: "owntracks")
    }

    @Test("HTTP delivers a full window of payloads.") func delivers() throws {
        try contract.delivers()
        #expect(server.requests.last?.headers["X-Limit-D"] == "van1")
        #expect(server.requests.last?.headers["Content-Type"] == "application/json")
        #expect(Set(server.requests.map(\.connection)).count == 1, "one connection is kept")
    }

    @Test("HTTP reports an absent server, and delivers when the server is back.") func absence() throws {
        try contract.survivesAbsence()
    }

    @Test("HTTP reports a silent server, and sends the same bytes again.") func silence() throws {
        try contract.survivesSilence()
    }

    @Test("HTTP reports a broken connection.") func breaking() throws { try contract.survivesBreaking() }

    @Test("HTTP reports a rejected user.") func refusal() throws { try contract.reportsRejectedUser() }

    @Test("HTTP closes without waiting for payloads in flight.") func closing() throws { try contract.closesAtOnce() }
}

@Suite("MQTT", .enabled(if: Broker.program != nil && WebServer.python != nil, needsBroker))
struct MQTTTests {
    private let broker: Broker
    private let contract: TransportContract

    init() throws {
        broker = try Broker()
        contract = TransportContract(peer: broker, format: "owntracks")
    }

    @Test("MQTT delivers a full window of payloads.") func delivers() throws {
        try contract.delivers()
        #expect(broker.messages.allSatisfy { $0.topic == "owntracks/fleet/van1" && $0.qos == 1 && !$0.retain })
    }

    @Test("MQTT reports an absent server, and delivers when the server is back.") func absence() throws {
        try contract.survivesAbsence()
    }

    @Test("MQTT reports a missing acknowledgement, and sends the same bytes again.") func silence() throws {
        try contract.survivesSilence()
    }

    @Test("MQTT reports a broken connection.") func breaking() throws { try contract.survivesBreaking() }

    @Test("MQTT reports a rejected user.") func refusal() throws { try contract.reportsRejectedUser() }

    @Test("MQTT closes without waiting for payloads in flight.") func closing() throws { try contract.closesAtOnce() }

    @Test("MQTT pings on an idle connection, and keeps the connection open.") func keepAlive() throws {
        try broker.start()
        // 5 s is the shortest duration that libmosquitto accepts.
        var driver = try Driver(broker.url, "owntracks", TransportTimeouts(keepAlive: .seconds(5)))
        driver.send(1)
        #expect(driver.verdicts(1) == [1: .delivered])
        #expect(driver.drive { broker.count(.ping) >= 2 })
        driver.send(2)
        #expect(driver.verdicts(1) == [2: .delivered])
        driver.transport.close()
    }

    @Test("MQTT reports a name without an address.")
    func unknownName() throws {
        let target = try UploadTarget.sample("mqtts://no-such-host.invalid", "owntracks")
        let transport = target.makeTransport(.ofTests, TransportTimeouts(connect: .seconds(1)))
        transport.send(WirePayload(body: [1], contentType: "", topic: "t"), as: 1, at: UploadClocks.ofTests.now())
        var outcomes: [BatchOutcome] = []
        #expect(
            eventually {
                outcomes += transport.advance(at: UploadClocks.ofTests.now())
                return !outcomes.isEmpty
            })
        guard case .linkFailed(let reason) = outcomes.first?.verdict else {
            Issue.record("\(outcomes)"); return
        }
        #expect(reason.contains("address"))
    }
}
