import Foundation
import Testing

@testable import TrackerDaemon
@testable import Control

@Suite("The read socket")
struct ReadSocketTests {
    private let conversation: ControlConversation

    init() throws { conversation = try ControlConversation() }

    @Test(
        "The read socket answers the requests that change nothing, and refuses each of the others.",
        arguments: ControlRequests.all.indices)
    func requests(index: Int) throws {
        let type = ControlRequests.all[index]
        let client = try conversation.connectToRead()
        let keys = [
            "mode": #","mode":"quiet""#, "waypoint set": #","name":"a""#, "waypoint remove": #","name":"a""#,
            "odometer set": #","metres":5"#, "trips name": #","trip":1,"name":"a""#, "trips purge": #","trip":1"#,
            "track": #","from":"2026-01-01T00:00:00Z","to":"2026-01-02T00:00:00Z""#,
            "why": #","time":"2026-01-01T00:00:00Z""#,
        ]
        client.send(#"{"request":"\#(type.manual.name)"\#(keys[type.manual.name] ?? "")}"# + "\n")
        conversation.turn()
        // The reply to `doctor` arrives later; DoctorRequestTests contains its tests.
        if type == DoctorRequest.self { return }
        let reply = try #require(client.lines().first)
        let refusal = "`\(type.manual.name)` is not available at the read socket. Use the control socket"
        #expect(reply.contains(refusal) == !type.isReading, "\(reply)")
        #expect(reply.contains(#""ok":true"#) == type.isReading, "\(reply)")
    }

    @Test("A new request is refused at the read socket unless its type declares that it only reads.")
    func list() {
        #expect(
            ControlRequests.all.filter { $0.isReading }.map { $0.manual.name } == [
                "status", "tracking show", "config show", "region list", "waypoint list", "odometer", "queue", "watch",
                "trips list", "track", "why", "doctor",
            ])
    }

    @Test("The control socket accepts clients even if the read socket has its maximum number of clients.")
    func places() throws {
        var readers: [RawClient] = []
        for _ in 0..<12 {
            readers.append(try conversation.connectToRead())
            readers.last?.send(#"{"request":"watch"}"# + "\n")
            for _ in 0..<4 { conversation.turn() }
        }
        #expect(conversation.reading.connections.count == ControlSocket.mostClients)
        #expect(conversation.reading.streamCount == ControlSocket.mostStreams)
        #expect(conversation.reply(to: #"{"request":"odometer"}"#)?.contains(#""ok":true"#) == true)
        let watcher = try conversation.connect()
        watcher.send(#"{"request":"watch"}"# + "\n")
        conversation.turn()
        #expect(watcher.lines().first?.contains(#""watch":1"#) == true)
    }
}
