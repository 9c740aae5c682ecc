import Foundation
import Quantities
import Testing
import Tracking

@testable import TrackerDaemon
@testable import Control

@Suite("A conversation over the control socket")
struct ControlConversationTests {
    /// Returns the requests and replies of `Tests/Golden/control.txt`, in order: `> ` before a request, `< ` before its reply.
    private func conversation() throws -> [(request: String, reply: String)] {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: tests.appendingPathComponent("Golden/control.txt"), encoding: .utf8)
        let lines = text.split(separator: "\n").map { String($0.dropFirst(2)) }
        return stride(from: 0, to: lines.count - 1, by: 2).map { (lines[$0], lines[$0 + 1]) }
    }

    @Test("The replies to all requests have the same bytes as in the recorded conversation.")
    func golden() throws {
        let conversation = try ControlConversation()
        let recorded = try self.conversation()
        #expect(recorded.count == 58)
        for (index, (request, reply)) in recorded.enumerated() {
            // A client may send at most 50 requests in one second.
            if index == 47 { conversation.wait(.seconds(1)) }
            #expect(conversation.reply(to: request) == reply, "\(request)")
        }
    }

    @Test("The recorded conversation contains each request except those whose reply is not immediate.")
    func complete() throws {
        let names = try conversation().map(\.request)
        let others: [any ControlRequest.Type] = [
            LocateRequest.self, RecordRequest.self, WatchRequest.self, DoctorRequest.self,
        ]
        for request in ControlRequests.all where !others.contains(where: { $0 == request }) {
            #expect(names.contains { $0.contains(#""request":"\#(request.manual.name)""#) }, "\(request.manual.name)")
        }
    }

    @Test("A locate request is answered when the receiver has a fix.")
    func locate() throws {
        let conversation = try ControlConversation()
        #expect(conversation.reply(to: #"{"request":"locate","actionId":7,"id":"l"}"#) == nil)
        let reply = try #require(conversation.replyAfterFixes())
        #expect(reply.hasPrefix(#"{"id":"l","ok":true,"result":{"action":{"actionId":"7"},"on_disk":true,"record":{"#))
        #expect(reply.contains(#""lat":52.5,"lon":13.4,"#))
    }

    @Test("A record request is answered with the tracker's state, and each report of a sensor follows.")
    func record() throws {
        let conversation = try ControlConversation()
        let reply = try #require(conversation.reply(to: #"{"request":"record","id":"r"}"#))
        let answer = try JSONDecoder().decode(ControlAnswer<RecordingHeader>.self, from: Data(reply.utf8))
        #expect(answer.id == "r" && answer.result?.recording == 1 && answer.result?.isTimeTrusted == true)
        conversation.tracker.runner.handle(.ignition(isOn: true), at: Instant(seconds: 52))
        conversation.tracker.runner.handle(.timer(.health), at: Instant(seconds: 53))
        conversation.tracker.runner.handle(.motionSensor(isThere: true), at: Instant(seconds: 53.5))
        #expect(conversation.lines() == [#"{"ignition":true,"t_s":2}"#, #"{"motionSensor":true,"t_s":3.5}"#])
    }

    @Test("If a client does not read its recording, the tracker counts the lost lines and continues.")
    func slowRecorder() throws {
        let conversation = try ControlConversation()
        _ = conversation.reply(to: #"{"request":"record"}"#)
        let beacon = BeaconSighting(uuid: String(repeating: "0", count: 3000), major: 1, minor: 2, rssi: -60)
        // These lines are far more than the socket and the daemon can buffer.
        for _ in 0..<1000 { conversation.tracker.runner.handle(.beacon(beacon), at: Instant(seconds: 60)) }
        #expect(conversation.lines().count { $0.contains(#""beacon""#) } < 500)
        for _ in 0..<20 { _ = conversation.lines() }
        conversation.tracker.runner.handle(.ignition(isOn: true), at: Instant(seconds: 61))
        let rest = conversation.lines().suffix(2)
        #expect(rest.first?.hasPrefix(#"{"lost":"#) == true && rest.last == #"{"ignition":true,"t_s":11}"#, "\(rest)")
    }

    @Test("A new request needs one type and one row of the table; the reader, the dispatch and the help use both.")
    func extensible() throws {
        let conversation = try ControlConversation()
        conversation.tracker.clients.requests.append(GreetRequest.self)
        #expect(
            conversation.reply(to: #"{"request":"greet","name":"Ada"}"#)
                == #"{"ok":true,"result":{"greeting":"Hello Ada, the odometer shows 0.0 m."}}"#)
        #expect(
            conversation.reply(to: #"{"request":"greet","nam":"Ada"}"#)
                == #"{"error":"greet: `name` is missing. `nam` is not a key of this request. Did you mean `name`?","ok":false}"#
        )
        #expect(conversation.reply(to: #"{"request":"gret"}"#)?.contains("Did you mean `greet`?") == true)
        #expect(ControlDocument.row(of: GreetRequest.self) == "| `greet` | `name`: the name | | `greeting` |")
    }
}

private struct GreetRequest: ControlRequest {
    struct Response: Codable {
        let greeting: String
    }

    static let nameKey = ControlKey("name", "the name")
    static let manual = ControlManual(
        "greet", "Greets.", keys: [nameKey], command: "", response: "`greeting`")

    let name: String

    init?(_ reader: inout RequestReader) {
        guard let name = reader.necessaryText(Self.nameKey) else { return nil }
        self.name = name
    }

    func run(in session: any Session) -> Response? {
        let metres = session.engine.odometer.value
        return Response(greeting: "Hello \(name), the odometer shows \(metres) m.")
    }
}
