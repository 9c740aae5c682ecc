import Foundation
import GRDB
import Testing
import Tracking

@testable import Control
@testable import TrackerDaemon
@testable import Configuration

@Suite("Requests while another program has locked the database")
struct LockedDatabaseTests {
    private let conversation: ControlConversation
    private let other: DatabaseQueue

    init() throws {
        conversation = try ControlConversation()
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        other = try DatabaseQueue(path: conversation.table, configuration: configuration)
    }

    private func reply(_ line: String) throws -> [String: Any] {
        let reply = try #require(conversation.reply(to: line))
        return try #require(JSONSerialization.jsonObject(with: Data(reply.utf8)) as? [String: Any])
    }

    private func isOnDisk(_ reply: [String: Any]) -> Bool? { (reply["result"] as? [String: Any])?["on_disk"] as? Bool }

    @Test("After a commit has waited for the other program, a request does not wait a second time in the same turn.")
    func oneWait() throws {
        // The other program's transaction ends as soon as the tracker's commit of the record has failed.
        try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
        var isLocked = true
        conversation.tracker.runner.observe { [other] effect, _, _ in
            guard isLocked, case .record(_) = effect else { return }
            isLocked = false
            try? other.inDatabase { try $0.execute(sql: "COMMIT") }
        }
        #expect(isOnDisk(try reply(#"{"request":"mode","mode":"quiet"}"#)) == false)
        #expect(!isLocked)
    }
}
