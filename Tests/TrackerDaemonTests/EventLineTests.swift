import Foundation
import Quantities
import Testing
import Tracking

@testable import Control

@Suite("The lines of a replay")
struct EventLineTests {
    private func text(_ effect: Effect) throws -> String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let line = EventLine(effect, at: Instant(seconds: 12.5), since: .boot)
        return try line.map { String(decoding: try encoder.encode($0), as: UTF8.self) }
    }

    private func record(_ content: Record.Content) -> Record {
        Record(
            content, time: Timestamp(milliseconds: 1_767_225_600_000), isTimeTrusted: true, position: nil,
            isMoving: true, odometer: .zero, trip: 1)
    }

    @Test("A record has a payload if its kind has values of its own.")
    func payload() throws {
        let harsh = record(.driving(DrivingEvent(.braking, peak: Acceleration(4.3), lasted: .seconds(2))))
        #expect(
            try text(.record(harsh))
                == """
                {"event":"record","kind":"driving","moving":true,"odometer_m":0,\
                "payload":{"event":"braking","lasted_s":2,"peak_mps2":4.3},"t":12.5,\
                "time":"2026-01-01T00:00:00.000Z","trip":1}
                """)
    }

    @Test("A record without values of its own kind has no payload, nor does the start of a trip without ID.")
    func plain() throws {
        #expect(try text(.record(record(.trip(TripReport()))))?.contains("payload") == false)
        #expect(
            try text(.record(record(.location)))
                == """
                {"event":"record","kind":"location","moving":true,"odometer_m":0,"t":12.5,\
                "time":"2026-01-01T00:00:00.000Z","trip":1}
                """)
    }

    @Test("Internal effects of the engine cause no line of output.")
    func silent() throws {
        #expect(try text(.correctTimestamps(before: Instant(seconds: 12.5), by: .seconds(86_400))) == nil)
    }

    @Test("A line of a replay contains the driver, the vehicle and the regions.")
    func people() throws {
        var whole = record(.ping)
        (whole.tag, whole.vehicle, whole.driver) = ("night", "van1", "ann")
        whole.regions = [RegionName(id: "d4", name: "City")]
        let text = try text(.record(whole))
        #expect(text?.contains(#""driver":"ann","event":"record","kind":"ping","#) == true)
        #expect(text?.contains(#""regions":[{"id":"d4","name":"City"}],"t":12.5,"tag":"night","#) == true)
        #expect(text?.contains(#""vehicle":"van1""#) == true)
    }
}
