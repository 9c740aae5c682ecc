import Foundation
import Peers
import Quantities
import Store
import Tracking

/// A database with two trips near Berlin: the first has ended, and the second began at the end of summer time and is
/// under way.
struct TripSamples {
    let scratch: Scratch
    var config: String { scratch.path + "/config.yaml" }
    var database: String { scratch.path + "/t.sqlite" }

    /// 2025-10-25T21:58:20Z.
    static let start = Timestamp(milliseconds: 1_761_429_500_000)

    init() throws {
        scratch = try Scratch()
        try scratch.write(
            "device: van1\nstore: {path: \"\(scratch.path)/t.sqlite\"}\ntimeZone: Europe/Berlin\n", to: "config.yaml")
        let queue = try RecordQueue(path: database)
        var order = TripReport(number: 1, externalID: "order 7", metadata: [.init(key: "load", value: "pianos")])
        try add(.motionchange, at: 0, trip: 1, to: queue)
        try add(.trip(order), at: 5, trip: 1, to: queue)
        for second in stride(from: 10.0, through: 130, by: 10) { try add(.location, at: second, trip: 1, to: queue) }
        try add(.motionchange, at: 140, trip: 1, isMoving: false, to: queue)
        var summary = TripSummary(start: Self.place(at: 0), started: Self.start)
        summary.end = Self.place(at: 140)
        summary.ended = Self.start + .seconds(140)
        summary.distance = Metres(1400)
        summary.moving = .seconds(120)
        summary.idle = .seconds(20)
        summary.topSpeed = MetresPerSecond(13.06)
        summary.records = 13
        order.summary = summary
        try add(.trip(order), at: 140, trip: 1, isMoving: false, to: queue)
        try add(.motionchange, at: 4 * 3600, trip: 2, to: queue)
        try add(.trip(TripReport(number: 2)), at: 4 * 3600, trip: 2, to: queue)
        try add(.location, at: 4 * 3600 + 90, trip: 2, to: queue)
        queue.close()
    }

    private func add(
        _ content: Tracking.Record.Content, at second: Double, trip: Int, isMoving: Bool = true, to queue: RecordQueue
    ) throws {
        let time = Self.start + Duration(inSeconds: second)
        var record = Tracking.Record(
            content, time: time, isTimeTrusted: true,
            position: Self.place(at: second).map { Position(coordinate: $0, accuracy: Metres(5)) }, isMoving: isMoving,
            odometer: Metres(second * 10), trip: trip)
        if trip == 1 { record.driver = "Ada" }
        if second < 10 { record.regions = [RegionName(id: "d", name: "Depot")] }
        let reading = ClockReading(boot: "b", now: Instant(seconds: second), time: time, isTrusted: true)
        _ = queue.append(record, state: EngineState(), at: reading)
        _ = try queue.flush(at: reading)
    }

    private static func place(at second: Double) -> Coordinate? {
        Coordinate(latitude: 52.5 + second * 1e-4, longitude: 13.4)
    }
}
