import Foundation
import Peers
import Quantities
import Store
import Testing
import Tracking

@testable import TrackerDaemon
@testable import Control

@Suite("Requests for the history")
struct HistoryRequestTests {
    private let conversation: ControlConversation

    init() throws { conversation = try ControlConversation() }

    private func ask(_ line: String) throws -> [String: Any] {
        let reply = try #require(conversation.reply(to: line))
        return try #require(JSONSerialization.jsonObject(with: Data(reply.utf8)) as? [String: Any])
    }

    private func result(_ line: String) throws -> [String: Any] {
        try #require(try ask(line)["result"] as? [String: Any])
    }

    @Test("The requests for the history return the trip, the track and the decisions of a drive.")
    func drive() throws {
        _ = conversation.reply(to: #"{"request":"trip start","tripId":"A7"}"#)
        for second in 1...60 { conversation.drive(to: 13.4, at: second) }
        _ = conversation.reply(to: #"{"request":"trip end"}"#)
        let trips = try #require(try result(#"{"request":"trips list"}"#)["trips"] as? [[String: Any]])
        #expect(trips.contains { $0["external_id"] as? String == "A7" }, "\(trips)")

        let span = #""from":"2026-01-01T00:00:00Z","to":"2026-01-01T00:10:00Z""#
        let track = try #require(try result(#"{"request":"track",\#(span)}"#)["points"] as? [[String: Any]])
        #expect(
            track.contains {
                $0["kind"] as? String == "trip" && ($0["text"] as? String)?.hasPrefix("trip, begins") == true
            })
        #expect(track.contains { $0["lat"] as? Double == 52.5 }, "\(track)")

        let why = try result(#"{"request":"why","time":"2026-01-01T00:00:30Z"}"#)
        let events = try #require(why["events"] as? [[String: Any]])
        #expect(events.contains { $0["subject"] as? String == "record" }, "\(why)")
        #expect(why["known"] != nil)
    }

    @Test("The report of `why` counts every location of a series, although the daemon decodes only two of them.")
    func series() throws {
        let scratch = try Scratch()
        let queue = try RecordQueue(path: scratch.path + "/t.sqlite")
        let start = Timestamp(milliseconds: 1_767_225_600_000)
        for second in 0..<9 {
            let time = start + .seconds(second)
            let record = Tracking.Record(
                second == 8 ? .ping : .location, time: time, isTimeTrusted: true, position: nil, isMoving: true,
                odometer: .zero, trip: nil)
            let reading = ClockReading(boot: "b", now: Instant(seconds: Double(second)), time: time, isTrusted: true)
            _ = queue.append(record, state: EngineState(), at: reading)
        }
        _ = try queue.flush(at: ClockReading(boot: "b", now: .boot, time: start + .seconds(9), isTrusted: true))
        queue.close()
        let pages = try History(forLoop: scratch.path + "/t.sqlite")
        defer { pages.close() }
        let history = try pages.briefExcerpt(of: start...start + .seconds(60))
        let report = WhyReport(moment: start, reach: .seconds(60), history: history) { _ in .zero }
        #expect(report.events.map(\.text) == ["8 locations", "ping"])
        #expect(report.events.first?.until == start + .seconds(7))
    }

    @Test("A wrong period or time is refused with the key and an example.")
    func wrong() throws {
        #expect(try ask(#"{"request":"track"}"#)["error"] as? String == "track: `from` is missing. `to` is missing.")
        let turned = #"{"request":"track","from":"2026-01-02T00:00:00Z","to":"2026-01-01T00:00:00Z"}"#
        #expect(try ask(turned)["error"] as? String == "track: `from` must be before `to`.")
        #expect(
            try ask(#"{"request":"why","time":"yesterday"}"#)["error"] as? String
                == "why: `time` must be a date and a time such as 2026-01-31T13:05:00Z.")
    }

    @Test("The requests for the history return empty lists if there are no records.")
    func empty() throws {
        let why = try result(#"{"request":"why","time":"2020-01-01T00:00:00Z"}"#)
        #expect((why["events"] as? [Any])?.isEmpty == true)
        let track = try result(#"{"request":"track","from":"2020-01-01T00:00:00Z","to":"2020-01-02T00:00:00Z"}"#)
        #expect((track["points"] as? [Any])?.isEmpty == true && track["after"] == nil)
        #expect((try result(#"{"request":"trips list"}"#)["trips"] as? [Any])?.isEmpty == true)
    }
}
