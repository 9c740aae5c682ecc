import Quantities
import Testing
import Tracking

@testable import Recordings

@Suite("Cross-track error")
struct CrossTrackTests {
    private let start = Timestamp(year: 2026, month: 1, day: 1)

    private func place(_ east: Double, _ north: Double) throws -> Coordinate {
        try #require(Coordinate(latitude: 0, longitude: 10)).moved(east: Metres(east), north: Metres(north))
    }

    private func fix(_ second: Int, _ place: Coordinate) throws -> AcceptedFix {
        try #require(AcceptedFix(Fix(mode: .threeDimensional, time: start + .seconds(second), coordinate: place)))
    }

    private func record(_ second: Int, _ place: Coordinate) -> Record {
        Record(
            .location, time: start + .seconds(second), isTimeTrusted: true, position: Position(coordinate: place),
            isMoving: true, odometer: .zero, trip: 1)
    }

    @Test("The largest error is the same whether trips are measured separately or as one trip.")
    func trips() throws {
        var (whole, forgetful) = (CrossTrack(), CrossTrack())
        for trip in 0..<3 {
            let (begin, stray) = (trip * 100, Double(5 + trip * 3 % 7))
            let way = try [fix(begin, place(0, 0)), fix(begin + 10, place(100, stray)), fix(begin + 20, place(200, 0))]
            let ends = try [record(begin, place(0, 0)), record(begin + 20, place(200, 0))]
            for fix in way { whole.add(fix: fix) }
            for record in ends { whole.add(record: record) }
            for fix in way { forgetful.add(fix: fix) }
            for record in ends { forgetful.add(record: record) }
            forgetful.endTrip()
        }
        #expect(abs(whole.worst.value - 11) < 0.05)
        #expect(forgetful.worst == whole.worst)
    }
}
