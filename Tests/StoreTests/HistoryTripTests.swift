import Quantities
import Store
import Testing
import Tracking

@Suite("The list of trips")
struct HistoryTripTests {
    private let folder = TemporaryFolder()
    private static let start = Timestamp(milliseconds: 1_767_225_600_000)

    private func store(_ records: [Tracking.Record]) throws {
        let queue = try RecordQueue(path: folder.database)
        for record in records { _ = queue.append(record, state: EngineState(), at: .sample(at: 0, time: record.time)) }
        _ = try queue.flush(at: .sample(at: 0, time: Self.start))
        queue.close()
    }

    private func record(_ content: Tracking.Record.Content, at second: Int64, odometer: Double, trip: Int)
        -> Tracking.Record
    {
        var record = Tracking.Record(
            content, time: Self.start + .seconds(second), isTimeTrusted: true, position: nil, isMoving: true,
            odometer: Metres(odometer), trip: trip)
        record.driver = "Ada"
        return record
    }

    private func ended(_ number: Int, from began: Int64, to end: Int64) -> TripReport {
        var summary = TripSummary(start: nil, started: Self.start + .seconds(began))
        summary.ended = Self.start + .seconds(end)
        summary.distance = Metres(1200)
        return TripReport(number: number, summary: summary)
    }

    @Test("A trip that has ended has the figures of the record of its end.")
    func ended() throws {
        try store([
            record(.trip(TripReport(number: 1)), at: 10, odometer: 0, trip: 1),
            record(.trip(ended(1, from: 5, to: 700)), at: 700, odometer: 1200, trip: 1),
            record(.ping, at: 900, odometer: 1300, trip: 1),
        ])
        let trips = try History(path: folder.database).trips()
        #expect(trips.map(\.number) == [1])
        #expect(trips.first?.began == Self.start + .seconds(5))
        #expect(trips.first?.summary?.distance == Metres(1200))
        #expect(trips.first?.driver == "Ada")
        #expect(trips.first?.isUnderWay == false)
    }

    @Test("A trip under way has the distance and the time until now.")
    func underWay() throws {
        try store([
            record(.trip(TripReport(number: 1)), at: 10, odometer: 500, trip: 1),
            record(.location, at: 70, odometer: 1700, trip: 1),
        ])
        let trip = try #require(try History(path: folder.database).trips().first)
        #expect(trip.isUnderWay)
        #expect(trip.distanceSoFar == Metres(1200))
        #expect(trip.lastRecord == Self.start + .seconds(70))
    }

    @Test("A trip whose end is missing is not under way when a later trip has begun.")
    func endMissing() throws {
        try store([
            record(.trip(TripReport(number: 1)), at: 10, odometer: 0, trip: 1),
            record(.trip(TripReport(number: 2)), at: 90, odometer: 50, trip: 2),
        ])
        let trips = try History(path: folder.database).trips()
        #expect(trips.map(\.isUnderWay) == [false, true])
    }

    @Test("A trip that a command takes over remains one trip, with its number and an ID.")
    func byHand() throws {
        let order = TripReport(number: 1, externalID: "order 7", metadata: [.init(key: "driver", value: "Ada")])
        try store([
            record(.trip(TripReport(number: 1)), at: 10, odometer: 0, trip: 1),
            record(.trip(order), at: 20, odometer: 0, trip: 1),
            record(.trip(ended(1, from: 5, to: 700)), at: 700, odometer: 1200, trip: 1),
        ])
        let catalogue = try History(path: folder.database)
        #expect(try catalogue.trips().count == 1)
        #expect(try catalogue.trip("1") == catalogue.trip("order 7"))
        #expect(try catalogue.trip("order 7")?.report.metadata == order.metadata)
        #expect(try catalogue.trip("2") == nil)
    }
}
