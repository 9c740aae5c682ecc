import Foundation
import Hardware
import Quantities
import Testing
import Tracking

@testable import Control
@testable import TrackerDaemon

@Suite("Watching over the control socket")
struct WatchTests {
    private let conversation: ControlConversation

    init() throws { conversation = try ControlConversation() }

    private func object(_ line: String?) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data((line ?? "").utf8)) as? [String: Any])
    }

    private func events(_ lines: [String]) throws -> [String] {
        try lines.compactMap { try object($0)["event"] as? String }
    }

    /// Sends `watch` as another client; returns the client after the header and the first snapshot.
    private func watch() throws -> RawClient {
        let client = try conversation.connect()
        client.send(#"{"request":"watch"}"# + "\n")
        conversation.turn()
        #expect(client.lines().count == 2)
        return client
    }

    @Test("A watch request is answered with the version of the stream, and the status follows at once.")
    func begin() throws {
        let client = try conversation.connect()
        client.send(#"{"request":"watch","id":"w"}"# + "\n")
        conversation.turn()
        let lines = client.lines()
        #expect(lines.first == #"{"id":"w","ok":true,"result":{"version":"unknown","watch":1}}"#)
        let snapshot = try object(lines.last)
        #expect(snapshot["event"] as? String == "status" && snapshot["at"] as? String == "2026-01-01T00:00:00.000Z")
        let reply = try object(conversation.reply(to: #"{"request":"status"}"#))
        let status = try #require(snapshot["status"] as? [String: Any])
        #expect(Set(status.keys) == Set(try #require(reply["result"] as? [String: Any]).keys))
    }

    @Test("A change of state arrives with its reason, its record and its time, followed by the new status.")
    func change() throws {
        let client = try watch()
        conversation.wait(.seconds(2))
        conversation.tracker.runner.handle(.command(.move), at: Instant(seconds: 52))
        conversation.turn()
        let lines = client.lines()
        let names = try events(lines)
        #expect(names.contains("state") && names.contains("decision") && names.contains("record"))
        #expect(names.last == "status" && names.count { $0 == "status" } == 1)
        let state = try object(lines.first { $0.contains(#""event":"state""#) })
        #expect(state["state"] as? String == "moving" && state["t"] as? Double == 2)
        #expect(state["at"] as? String == "2026-01-01T00:00:02.000Z")
        #expect((try object(lines.last)["status"] as? [String: Any])?["state"] as? String == "moving")
    }

    @Test("The status arrives at most once a second, and the last change is not lost.")
    func rate() throws {
        let client = try watch()
        conversation.wait(.seconds(2))
        for second in 0..<10 {
            conversation.tracker.runner.handle(.ignition(isOn: second.isMultiple(of: 2)), at: Instant(seconds: 52))
            conversation.turn()
        }
        #expect(try events(client.lines()).count { $0 == "status" } == 1)
        #expect(conversation.tracker.clients.feed.deadline == Instant(seconds: 53))
        conversation.wait(.seconds(1))
        let last = try object(client.lines().last)
        #expect((last["status"] as? [String: Any])?["ignition"] as? Bool == false)
    }

    @Test("Without a change, a client that watches causes neither a line nor a timer.")
    func rest() throws {
        let client = try watch()
        conversation.wait(.seconds(2))
        #expect(client.lines().isEmpty)
        #expect(conversation.tracker.clients.feed.deadline == nil)
        #expect(
            conversation.socket.connections.allSatisfy { connection in
                !connection.isStreaming || connection.wait.deadline == nil
            })
        conversation.wait(.seconds(100_000))
        #expect(client.lines().isEmpty && !client.isClosed)
    }

    @Test("Two clients receive the same events, and one of them may leave.")
    func two() throws {
        let (first, second) = (try watch(), try watch())
        conversation.wait(.seconds(2))
        conversation.tracker.runner.handle(.command(.move), at: Instant(seconds: 52))
        conversation.turn()
        let lines = first.lines()
        #expect(lines == second.lines() && lines.count > 3)
        first.close()
        conversation.turn()
        #expect(conversation.tracker.clients.feed.count == 1)
        conversation.tracker.runner.handle(.command(.stay), at: Instant(seconds: 53))
        conversation.turn()
        #expect(try events(second.lines()).contains("state"))
        second.close()
        conversation.turn()
        #expect(!conversation.tracker.clients.feed.isWatched && conversation.tracker.clients.feed.deadline == nil)
    }

    @Test("A client that never reads loses events beyond its buffer, and does not disturb another client.")
    func neverReads() throws {
        let (stuck, reader) = (try watch(), try watch())
        let connection = try #require(conversation.socket.connections.first { $0.isStreaming })
        var (received, most) = (0, 0)
        for count in 0..<400 {
            startTrip(count)
            received += reader.lines().reduce(0) { $0 + $1.utf8.count + 1 }
            most = max(most, connection.unreadCount)
        }
        #expect(received > 10_000_000)
        #expect(most > 200_000 && most <= 256 * 1024)
        // The client reads the buffered lines, then the number of lost events, and then the status.
        var lines: [String] = []
        while true {
            let more = stuck.lines()
            if more.isEmpty { break }
            lines += more
            conversation.turn()
        }
        let names = try events(lines.filter { $0.hasPrefix("{") && $0.hasSuffix("}") })
        #expect(names.suffix(2) == ["lost", "status"])
        let lost = try object(lines.dropLast().last)["count"] as? Int
        #expect(try #require(lost) > 300)
    }

    /// The record has 30 kB.
    private func startTrip(_ number: Int) {
        let text = String(repeating: "x", count: 3000)
        let metadata = (0..<10).map { TripReport.Entry(key: "\($0)", value: text) }
        let report = TripReport(externalID: "\(number)", metadata: metadata)
        conversation.tracker.runner.handle(.command(.startTrip(report)), at: Instant(seconds: 52))
        conversation.turn()
    }

    @Test("A client that reads nothing for five minutes is dropped; a client without unread events is not.")
    func patience() throws {
        let (stuck, reader) = (try watch(), try watch())
        for count in 0..<20 {
            startTrip(count)
            _ = reader.lines()
        }
        conversation.wait(.seconds(310))
        #expect(conversation.tracker.clients.feed.count == 1)
        #expect(!reader.isClosed)
        withExtendedLifetime(stuck) {}
    }

    @Test("At most four clients watch, so that others can send requests.")
    func most() throws {
        let clients = try (0..<4).map { _ in try watch() }
        let fifth = try conversation.connect()
        fifth.send(#"{"request":"watch"}"# + "\n")
        conversation.turn()
        #expect(
            fifth.lines() == [
                #"{"error":"4 clients already watch or record. Try again later, or end one of these clients.","ok":false}"#
            ])
        #expect(conversation.reply(to: #"{"request":"odometer"}"#) == #"{"ok":true,"result":{"odometer_m":0}}"#)
        withExtendedLifetime(clients) {}
    }
}
