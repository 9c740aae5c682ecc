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

    @Test("delivers") func delivers() throws {
        try contract.delivers()
        #expect(server.requests.last?.headers["X-Limit-D"] == "van1")
        #expect(server.requests.last?.headers["Content-Type"] == "application/json")
        #expect(Set(server.requests.map(\.connection)).count == 1, "one connection is kept")
    }

    @Test("tells that nobody listens, and goes on when somebody does") func absence() throws {
        try contract.survivesAbsence()
    }

    @Test("tells that the server is silent, and goes on with the same bytes") func silence() throws {
        try contract.survivesSilence()
    }

    @Test("tells that the connection breaks") func breaking() throws { try contract.survivesBreaking() }

    @Test("tells that the user is refused") func refusal() throws { try contract.tellsRefusal() }

    @Test("closes at once") func closing() throws { try contract.closesAtOnce() }
}

@Suite("MQTT", .enabled(if: Broker.program != nil && WebServer.python != nil, needsBroker))
struct MQTTTests {
    private let broker: Broker
    private let contract: TransportContract

    init() throws {
        broker = try Broker()
        contract = TransportContract(peer: broker, format: "owntracks")
    }

    @Test("delivers") func delivers() throws {
        try contract.delivers()
        #expect(broker.messages.allSatisfy { $0.topic == "owntracks/fleet/van1" && $0.qos == 1 && !$0.retain })
    }

    @Test("tells that nobody listens, and goes on when somebody does") func absence() throws {
        try contract.survivesAbsence()
    }

    @Test("tells that the acknowledgement is missing, and goes on with the same bytes") func silence() throws {
        try contract.survivesSilence()
    }

    @Test("tells that the connection breaks") func breaking() throws { try contract.survivesBreaking() }

    @Test("tells that the user is refused") func refusal() throws { try contract.tellsRefusal() }

    @Test("closes at once") func closing() throws { try contract.closesAtOnce() }

    @Test("pings on an idle connection, and keeps it") func keepAlive() throws {
        try broker.start()
        // 5 s is the shortest that libmosquitto takes.
        var driver = try Driver(broker.url, "owntracks", TransportTimeouts(keepAlive: .seconds(5)))
        driver.send(1)
        #expect(driver.verdicts(1) == [1: .delivered])
        #expect(driver.drive { broker.pings >= 2 })
        driver.send(2)
        #expect(driver.verdicts(1) == [2: .delivered])
        driver.transport.close()
    }

    @Test("tells that a name has no address")
    func unknownName() throws {
        let target = try UploadTarget.sample("mqtts://no-such-host.invalid", "owntracks")
        let transport = target.transport.make(target, .ofTests, TransportTimeouts(connect: .seconds(1)))
        transport.send(WirePayload(body: [1], contentType: "", topic: "t"), as: 1, at: UploadClocks.ofTests.now())
        var outcomes: [BatchOutcome] = []
        #expect(
            eventually {
                outcomes += transport.advance(at: UploadClocks.ofTests.now())
                return !outcomes.isEmpty
            })
        guard case .retry(let reason, after: nil) = outcomes.first?.verdict else { Issue.record("accepted"); return }
        #expect(reason.contains("address"))
    }
}
