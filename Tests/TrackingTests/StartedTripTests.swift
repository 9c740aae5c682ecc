import Quantities
import Testing

@testable import Tracking

@Suite("A trip that was started by hand")
struct StartedTripTests {
    private var log = TripLog()
    private static let order = TripReport(
        externalID: "T-17", metadata: [.init(key: "client", value: "Amundsen"), .init(key: "lane", value: "4")])

    @Test("is told at once, with its external id and metadata, and again with its figures when it ends")
    mutating func ends() throws {
        let started = start(isMoving: false)
        #expect(started.map(\.number) == [1] && started.map(\.externalID) == ["T-17"])
        let ended = try #require(stop(900, isMoving: false).first)
        #expect(ended.number == 1 && ended.externalID == "T-17" && ended.metadata == Self.order.metadata)
        #expect(ended.summary?.ended == Samples.start + .seconds(900))
        #expect(log.number == nil)
    }

    @Test("does not end with Stationary, however long that lasts")
    mutating func survivesStops() throws {
        _ = start(isMoving: false)
        #expect(depart(100).isEmpty && arrive(200).isEmpty)
        #expect(log.gapOver().isEmpty)
        #expect(depart(9000).isEmpty && arrive(9100).isEmpty)
        #expect(log.number == 1 && log.count == 1)
        #expect(stop(9200, isMoving: false).map(\.number) == [1])
    }

    @Test("takes over the one that is under way, with what that has counted")
    mutating func takesOver() throws {
        _ = depart(0)
        _ = log.confirm()
        log.addRecord()
        #expect(start(isMoving: true).map(\.number) == [1])
        let ended = try #require(stop(500, isMoving: true).first)
        #expect(ended.summary?.started == Samples.start && ended.summary?.records == 1)
    }

    @Test("leaves a trip of its own to a vehicle that goes on, told of at both ends")
    mutating func goesOn() {
        _ = start(isMoving: true)
        let reports = stop(500, isMoving: true)
        #expect(reports.map(\.number) == [1, 2])
        #expect(reports.last == TripReport(number: 2))
        #expect(arrive(700).map(\.number) == [2])
    }

    @Test("is the only one that the command ends")
    mutating func notOurs() {
        #expect(stop(10, isMoving: false).isEmpty)
        _ = depart(20)
        #expect(stop(30, isMoving: true).isEmpty)
        #expect(log.number == 1)
    }

    @Test("is kept by the engine with an external id, and its records carry its number")
    func engine() throws {
        var world = World()
        world.park()
        let started = world.tell(.command(.startTrip(Self.order)), at: 50).compactMap(\.record)
        #expect(started.map(\.kind) == [.trip] && started.map(\.trip) == [1])
        #expect(world.tell(.command(.move), at: 60).compactMap(\.record).map(\.trip) == [1])
        world.drive(from: 61, seconds: 20)
        _ = world.tell(.command(.stay), at: 90)
        let ended = world.tell(.command(.endTrip), at: 100).compactMap(\.record)
        guard case .trip(let report) = try #require(ended.first).content else {
            Issue.record("no trip")
            return
        }
        #expect(report.externalID == "T-17" && report.number == 1)
        #expect((try #require(report.summary).distance.value - 200).magnitude < 1)
    }

    private mutating func start(isMoving: Bool) -> [TripReport] {
        log.start(
            Self.order, at: Samples.start, isTrusted: true, from: Samples.home, odometer: .zero, isMoving: isMoving)
    }

    private mutating func stop(_ seconds: Int, isMoving: Bool) -> [TripReport] {
        log.stop(
            at: Samples.start + .seconds(seconds), isTrusted: true, in: Samples.home, odometer: .zero,
            isMoving: isMoving)
    }

    private mutating func depart(_ seconds: Int) -> [TripReport] {
        log.depart(
            at: Samples.start + .seconds(seconds), isTrusted: true, from: Samples.home, odometer: .zero, gap: .zero)
    }

    private mutating func arrive(_ seconds: Int) -> [TripReport] {
        log.arrive(at: Samples.start + .seconds(seconds), in: Samples.home, odometer: .zero, gap: .zero)
    }
}
