import GRDB
import Quantities
import Store
import Testing
import Tracking

@Suite("Names and removal of trips")
struct TripTableTests {
    private let folder = TemporaryFolder()
    private static let start = Timestamp(milliseconds: 1_767_225_600_000)

    /// Stores trips with these numbers of locations, each with a departure before its start and a ping after its end.
    ///
    /// If `openEnd` is true, the last trip has no end and no ping.
    private func store(_ trips: [(number: Int, locations: Int)], openEnd: Bool = false) throws {
        let queue = try RecordQueue(path: folder.database)
        var second: Int64 = 0
        func add(_ content: Tracking.Record.Content, _ trip: Int) {
            second += 1
            let record = Tracking.Record(
                content, time: Self.start + .seconds(second), isTimeTrusted: true, position: nil, isMoving: true,
                odometer: Metres(Double(second)), trip: trip)
            _ = queue.append(record, state: EngineState(), at: .sample(at: 0, time: record.time))
        }
        for (index, trip) in trips.enumerated() {
            add(.motionchange, trip.number)
            add(.trip(TripReport(number: trip.number)), trip.number)
            for _ in 0..<trip.locations { add(.location, trip.number) }
            guard !openEnd || index < trips.count - 1 else { break }
            let summary = TripSummary(start: nil, started: Self.start)
            add(.trip(TripReport(number: trip.number, summary: summary)), trip.number)
            add(.ping, trip.number)
        }
        _ = try queue.flush(at: .sample(at: 0, time: Self.start))
        queue.close()
    }

    private func remaining() throws -> [Int?: Int] {
        var counts: [Int?: Int] = [:]
        try History(path: folder.database).forEach(in: RecordSpan()) { counts[$0.record.trip, default: 0] += 1 }
        return counts
    }

    @Test("A trip is unknown, under way or ended.")
    func standing() throws {
        try store([(3, 5), (4, 1), (7, 2)], openEnd: true)
        let table = try TripTable(path: folder.database)
        #expect(
            try (1...8).map(table.standing) == [
                .unknown, .unknown, .ended, .ended, .unknown, .unknown, .underWay, .unknown,
            ])
    }

    @Test("Removing a trip also removes its departure, its points and its pings, but no record of another trip.")
    func remove() throws {
        try store([(1, 3), (2, 4), (3, 5)])
        let table = try TripTable(path: folder.database)
        #expect(try table.remove(2, after: nil) == TripTable.Step(removed: 8, after: nil))
        #expect(try remaining() == [1: 7, 3: 9])
        #expect(try table.standing(of: 2) == .unknown)
        #expect(try History(path: folder.database).trips().map(\.number) == [1, 3])
    }

    @Test("A long trip is removed in several steps.")
    func steps() throws {
        try store([(1, 2500), (2, 1), (3, 2600)])
        let table = try TripTable(path: folder.database)
        for trip in [1, 3] {
            var (removed, after): (Int, Int64?) = (0, nil)
            var calls = 0
            repeat {
                let step = try table.remove(trip, after: after)
                (removed, after, calls) = (removed + step.removed, step.after, calls + 1)
            } while after != nil
            #expect(removed == (trip == 1 ? 2504 : 2604) && calls == 3)
        }
        #expect(try remaining() == [2: 5])
    }

    @Test("A trip counts as undelivered if a target lacks one of its records or gets a record again.")
    func undelivered() throws {
        try store([(1, 1), (2, 1), (3, 1)])
        let table = try TripTable(path: folder.database)
        #expect(try table.hasUndelivered(of: 2, targets: ["home"]))
        #expect(try !table.hasUndelivered(of: 2, targets: []))
        let delivery = try DeliveryTable(path: folder.database)
        try delivery.markDelivered(Array(1...10), to: "home")
        #expect(try !table.hasUndelivered(of: 2, targets: ["home"]))
        #expect(try table.hasUndelivered(of: 3, targets: ["home"]))
        #expect(try table.hasUndelivered(of: 2, targets: ["home", "office"]))
        try delivery.setAside(7, for: "home", reason: "no")
        #expect(try !table.hasUndelivered(of: 2, targets: ["home"]))
        #expect(try SetAsideTable(path: folder.database).sendAgain([7], to: "home") == 1)
        #expect(try table.hasUndelivered(of: 2, targets: ["home"]))
    }

    @Test("The numbers of removed records are not used again, and delivery continues after them.")
    func numbers() throws {
        try store([(1, 1), (2, 1)])
        let delivery = try DeliveryTable(path: folder.database)
        try delivery.markDelivered([1, 2, 3, 8], to: "home")
        _ = try TripTable(path: folder.database).remove(2, after: nil)
        let queue = try RecordQueue(path: folder.database)
        let record = Tracking.Record(
            .ping, time: Self.start, isTimeTrusted: true, position: nil, isMoving: false, odometer: .zero, trip: 2)
        #expect(queue.append(record, state: EngineState(), at: .sample()).sequence == 11)
        _ = try queue.flush(at: .sample())
        queue.close()
        #expect(try delivery.oldest(awaiting: "home", limit: 9, excluding: []).map(\.sequence) == [4, 5, 11])
    }

    @Test("A trip's name is listed, finds the trip, can be removed, and is deleted together with the trip.")
    func names() throws {
        try store([(1, 1), (2, 1)])
        let table = try TripTable(path: folder.database)
        try table.setName("Moving house", of: 1)
        try table.setName("Holiday", of: 2)
        try table.setName(nil, of: 2)
        let catalogue = try History(path: folder.database)
        #expect(try catalogue.trips().map(\.name) == ["Moving house", nil])
        #expect(try catalogue.trip("Moving house")?.number == 1)
        _ = try table.remove(1, after: nil)
        let names = try DatabaseQueue(path: folder.database).read {
            try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM trip_name")
        }
        #expect(names == 0)
    }
}
