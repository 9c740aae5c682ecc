@testable import Delivery
@testable import Formats
import Foundation
import Quantities
import Testing
import Tracking

@Suite("The kinds and events of a target")
struct RecordSelectorTests {
    @Test("Each kind and each event of a kind can be selected.")
    func names() {
        #expect(RecordSelector.names.count == Set(RecordSelector.names).count)
        for name in RecordSelector.names { #expect(RecordSelector(reading: name) != nil, "\(name)") }
        let some = [
            "location", "power.supplyLow", "driving.tow", "motionchange.moved", "trip.ended", "transition.dwell",
        ]
        #expect(Set(some).isSubset(of: RecordSelector.names))
    }

    @Test(
        "A text that is not a kind or one of its events selects nothing.",
        arguments: ["", "power.", ".supplyLow", "supplyLow", "power.tow", "power.supplyLow.x", "location.location"])
    func unknown(text: String) {
        #expect(RecordSelector(reading: text) == nil)
    }

    @Test("The table in alarms.md lists each kind with all its events, in their order.")
    func documented() throws {
        let page = try String(contentsOf: SchemaCheck.docs.appendingPathComponent("alarms.md"), encoding: .utf8)
        for kind in Record.Kind.allCases {
            let events = kind.events.isEmpty ? "–" : kind.events.map { "`\($0)`" }.joined(separator: ", ")
            #expect(page.contains("\n| `\(kind)` | \(events) |\n"), "\(kind)")
        }
    }

    @Test("The event of each sample record is an event of its kind, and selects this record.")
    func events() throws {
        for (name, stored) in StoredRecord.ofEachKind {
            let record = stored.record
            #expect(record.event.map(record.kind.events.contains) ?? record.kind.events.isEmpty, "\(name)")
            let text = [record.kind.rawValue, record.event].compactMap(\.self).joined(separator: ".")
            #expect(try #require(RecordSelector(reading: text)).selects(record), "\(name)")
        }
    }

    @Test("A target with an event receives this event, and no other record of its kind.")
    func filter() throws {
        let tow = try #require(StoredRecord.sample("tow")).record
        let braking = try #require(StoredRecord.sample("harsh braking")).record
        let ignition = try #require(StoredRecord.sample("ignition on")).record
        let selectors = ["driving.tow", "power"].compactMap(RecordSelector.init(reading:))
        let only = RecordFilter(kinds: selectors)
        #expect([tow, braking, ignition].map(only.admits) == [true, false, true])
        let others = RecordFilter(exceptKinds: selectors)
        #expect([tow, braking, ignition].map(others.admits) == [false, true, false])
    }

    @Test("A template without `{kind}` and `{event}` also receives the events that the target names.")
    func template() throws {
        let tow = try #require(StoredRecord.sample("tow")).record
        let format = try Template(path: "/towed", body: nil, contentType: "")
        let kinds = { (names: [String]) in format.selecting(names.compactMap(RecordSelector.init(reading:))) }
        #expect(!format.carries(tow, over: .http))
        #expect(kinds(["driving.tow"]).carries(tow, over: .http))
        #expect(!kinds(["driving.impact"]).carries(tow, over: .http))
        #expect(!kinds(["driving"]).carries(tow, over: .http))
    }
}
