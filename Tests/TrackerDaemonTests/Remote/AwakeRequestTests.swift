@testable import Control
import Foundation
import Quantities
import Testing
@testable import TrackerDaemon
import Tracking

@Suite("The requests `awake on` and `awake off`")
struct AwakeRequestTests {
    private let conversation: ControlConversation
    /// Two hours after the start of the conversation's clock.
    private let end = "2026-01-01T02:00:00.000Z"

    init() throws {
        conversation = try ControlConversation { $0.power = PowerPolicy(haltAfter: .seconds(3600)) }
    }

    private func status() throws -> Status {
        let reply = try #require(conversation.reply(to: #"{"request":"status"}"#))
        return try #require(JSONDecoder().decode(ControlAnswer<Status>.self, from: Data(reply.utf8)).result)
    }

    @Test("The owner keeps the board awake, the status shows until when, and the owner ends it.")
    func owner() throws {
        #expect(try status().awake_until == nil)
        let on = try #require(conversation.reply(to: #"{"request":"awake on"}"#))
        #expect(on.contains("The board stays awake until \(end), or until `trackerd awake off`."))
        #expect(on.contains(#""on_disk":true"#))
        #expect(try status().awake_until == end)
        let off = try #require(conversation.reply(to: #"{"request":"awake off"}"#))
        #expect(off.contains(#""text":"`haltAfter` halts the parked board.""#))
        #expect(try status().awake_until == nil)
        let again = try #require(conversation.reply(to: #"{"request":"awake off"}"#))
        #expect(again.contains("`awake on` was not in force."))
    }

    @Test("A board can be kept awake for a minute to a day.", arguments: ["59s", "25h", "0s", "soon"])
    func range(length: String) throws {
        let reply = try #require(conversation.reply(to: #"{"request":"awake on","for":"\#(length)"}"#))
        #expect(reply.contains(#""ok":false"#) && reply.contains("awake on: `for` must be"))
        #expect(try status().awake_until == nil)
    }

    @Test("A server needs the permission `stayAwake` to keep the board awake, and may also end this.")
    func server() throws {
        let body = #"{"request":"awake on","for":"2h"}"#
        conversation.permit(["home": [.locate, .options, .restart, .silence]])
        #expect(try conversation.order(body, id: "w1")?.isAccepted == false)
        #expect(try status().awake_until == nil)
        conversation.permit(["home": [.stayAwake]])
        let report = try #require(try conversation.order(body, id: "w2"))
        #expect(report.isAccepted && report.text.contains("awake until \(end)"))
        #expect(try status().awake_until == end)
        #expect(try conversation.order(#"{"request":"awake off"}"#, id: "w3")?.isAccepted == true)
        #expect(try status().awake_until == nil)
    }

    @Test("On a board that is never halted, the requests are refused with the reason.", arguments: ["on", "off"])
    func unneeded(word: String) throws {
        let conversation = try ControlConversation()
        let reply = try #require(conversation.reply(to: #"{"request":"awake \#(word)"}"#))
        #expect(reply.contains(#""ok":false"#) && reply.contains("because the board file has no `haltAfter`"))
        conversation.permit(["home": [.stayAwake]])
        let report = try #require(try conversation.order(#"{"request":"awake \#(word)"}"#))
        #expect(!report.isAccepted && report.text.contains("because the board file has no `haltAfter`"))
    }
}
