import Peers
import Quantities
import Testing
@testable import Upload

@Suite("A connection that does not wait for a record")
struct StandingConnectionTests {
    private var connection = StandingConnection()
    private let start = Instant.boot + .seconds(1000)

    @Test("is opened at the start, and again with growing pauses after each loss.")
    mutating func pauses() {
        #expect(connection.due == .boot)
        connection.begin(at: start)
        #expect(connection.due == nil)
        for pause in [2, 4, 8, 16, 32, 64, 128, 256, 300, 300] {
            connection.end(because: "gone", at: start)
            #expect(connection.due == start + .seconds(pause))
        }
    }

    @Test("is opened again 2 s after a loss if it has lasted for a minute.")
    mutating func steady() {
        for _ in 1...5 { connection.end(because: nil, at: start) }
        connection.begin(at: start)
        connection.end(because: nil, at: start + .seconds(60))
        #expect(connection.due == start + .seconds(62))
    }

    @Test("is opened at once when the network returns or changes, and not at all without a network.")
    mutating func network() {
        for _ in 1...9 { connection.end(because: "gone", at: start) }
        connection.endPause(isOnline: false)
        #expect(connection.due == nil)
        connection.endPause(isOnline: true)
        #expect(connection.due == .boot)
        connection.begin(at: start)
        connection.endPause(isOnline: true)
        #expect(connection.due == nil, "An open connection remains open.")
    }

    @Test("reports at most one loss in a minute.")
    mutating func losses() {
        connection.end(because: "not opened yet", at: start)
        #expect(connection.takeLoss(at: start) == nil)
        for reason in ["first", "second", "third"] {
            connection.begin(at: start)
            connection.end(because: reason, at: start)
            if reason == "first" { #expect(connection.takeLoss(at: start) == "first") }
        }
        #expect(connection.takeLoss(at: start + .seconds(59)) == nil)
        #expect(connection.takeLoss(at: start + .seconds(60)) == "third")
    }
}

@Suite("A parked tracker with a will", .enabled(if: WebServer.python != nil, "python3 is missing"))
struct ParkedTrackerTests {
    @Test("connects without a record, and is online again after a ping without an answer.")
    func online() throws {
        // The broker asks for a ping each second.
        let broker = try ScriptedBroker(.with { ($0.properties, $0.answersPings) = ([0x13, 0, 1], false) })
        let timeouts = TransportTimeouts(connect: .seconds(50), ping: .seconds(1))
        var driver = try Driver(broker.url, "homeassistant", timeouts)
        #expect(driver.drive { broker.notes("connect").count >= 2 })
        #expect(
            driver.drive { broker.notes("publish").count { $0.topic?.hasSuffix("/availability") == true } >= 2 })
        #expect(broker.notes("publish").allSatisfy { $0.retain == true })
        #expect(
            driver.transport.takeNotices() == [
                "the connection was lost (127.0.0.1 does not answer a ping); trackerd connects again"
            ])
        driver.transport.close()
    }

    @Test("does not connect without a record if the owner lets it disconnect.")
    func idle() throws {
        let target = try UploadTarget.sample(
            "mqtt://127.0.0.1:1", "homeassistant", mqtt: MQTTOptions(idleDisconnect: .seconds(1)))
        let transport = target.makeTransport(.ofTests, TransportTimeouts())
        #expect(transport.deadline == nil)
    }
}
