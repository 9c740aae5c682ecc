import Quantities
import Testing

@testable import Tracking

@Suite("A trip that was started by hand")
struct StartedTripTests {
    private var log = TripLog()
    private static let order = TripReport(
        externalID: "T-17", metadata: [.init(key: "client", value: "Amundsen"), .init(key: "lane", value: "4")])

    @Test("A trip started by hand is reported with external ID and metadata, at once and with its figures at its end.")
    mutating func ends() throws {
        let started = start(isMoving: false)
        #expect(started.map(\.number) == [1] && started.map(\.externalID) == ["T-17"])
        let ended = try #require(stop(900, isMoving: false).first)
        #expect(ended.number == 1 && ended.externalID == "T-17" && ended.metadata == Self.order.metadata)
        #expect(ended.summary?.ended == Samples.start + .seconds(900))
        #expect(log.number == nil)
    }

    @Test("A trip started by hand does not end when the vehicle is parked, however long that lasts.")
    mutating func survivesStops() throws {
        _ = start(isMoving: false)
        for seconds in [100, 9000] {
            #expect(depart(seconds).isEmpty && log.confirm().isEmpty && arrive(seconds + 100).isEmpty)
            #expect(log.endGap().isEmpty)
        }
        #expect(log.number == 1 && log.count == 1)
        #expect(stop(9200, isMoving: false).map(\.number) == [1])
    }

    @Test("A trip started by hand takes over the trip in progress and its figures.")
    mutating func takesOver() throws {
        _ = depart(0)
        _ = log.confirm()
        log.addRecord()
        #expect(start(isMoving: true).map(\.number) == [1])
        let ended = try #require(stop(500, isMoving: true).first)
        #expect(ended.summary?.started == Samples.start && ended.summary?.records == 1)
    }

    @Test(
        "If the vehicle continues after the end of a trip started by hand, a new trip is reported at both ends.")
    mutating func goesOn() {
        _ = start(isMoving: true)
        let reports = stop(500, isMoving: true)
        #expect(reports.map(\.number) == [1, 2])
        #expect(reports.last == TripReport(number: 2))
        #expect(arrive(700).map(\.number) == [2])
    }

    @Test("The command to end a trip ends only a trip that was started by hand.")
    mutating func notOurs() {
        #expect(stop(10, isMoving: false).isEmpty)
        _ = depart(20)
        #expect(stop(30, isMoving: true).isEmpty)
        #expect(log.number == 1)
    }

    @Test("A trip started by hand continues until it is ended, also where the vehicle is parked.")
    mutating func isOnTrip() {
        _ = start(isMoving: false)
        #expect(log.isDeclared && !log.isPaused)
        _ = depart(100)
        _ = log.confirm()
        _ = arrive(200)
        #expect(log.isDeclared && !log.isPaused)
        _ = stop(300, isMoving: false)
        #expect(!log.isDeclared)
    }

    @Test("A trip started by hand has no stop if the vehicle departs at once and rests only at the end.")
    mutating func setsOut() throws {
        _ = start(isMoving: true)
        _ = depart(0)
        _ = log.confirm()
        _ = arrive(100)
        #expect(stop(200, isMoving: false).first?.summary?.stops == 0)
    }

    @Test(
        "A trip started by hand first ends a trip that waits for tripGap, and takes nothing over from it.",
        arguments: [false, true])
    mutating func afterPause(isInDoubt: Bool) throws {
        _ = depart(-1000)
        _ = log.confirm()
        log.addRecord()
        _ = arrive(-200, gap: 600)
        if isInDoubt { _ = depart(-10, gap: 600) }
        let reports = start(isMoving: true)
        #expect(reports.map(\.number) == [1, 2] && reports.map(\.externalID) == [nil, "T-17"])
        let first = try #require(reports.first?.summary)
        #expect(first.ended == Samples.start - .seconds(200) && first.stops == 0)
        let second = try #require(stop(500, isMoving: false).first?.summary)
        #expect(second.started == Samples.start && second.records == 0)
    }

    @Test("A trip ended by hand while a start is in doubt reports no trip that may be false.")
    mutating func endsInDoubt() throws {
        _ = start(isMoving: false)
        _ = depart(100)
        let ended = stop(130, isMoving: true)
        #expect(ended.map(\.number) == [1])
        #expect(ended.first?.summary?.stops == 0 && ended.first?.summary?.idle == .seconds(130))
        #expect(arrive(200).isEmpty && log.number == nil)
    }

    private mutating func start(isMoving: Bool) -> [TripReport] {
        log.start(Self.order, at: moment(0), isMoving: isMoving).map(\.report)
    }

    private mutating func stop(_ seconds: Int, isMoving: Bool) -> [TripReport] {
        log.stop(at: moment(seconds), isMoving: isMoving).map(\.report)
    }

    private mutating func depart(_ seconds: Int, gap: Int = 0) -> [TripReport] {
        log.depart(at: moment(seconds), gap: .seconds(gap)).map(\.report)
    }

    private mutating func arrive(_ seconds: Int, gap: Int = 0) -> [TripReport] {
        log.arrive(at: moment(seconds), gap: .seconds(gap)).map(\.report)
    }

    private func moment(_ seconds: Int) -> TripMoment {
        TripMoment(
            time: UTCTime(Samples.start + .seconds(seconds), isTrusted: true), place: Samples.home, odometer: .zero)
    }
}
