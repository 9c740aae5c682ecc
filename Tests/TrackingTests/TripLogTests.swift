import Foundation
import Quantities
import Testing

@testable import Tracking

@Suite("The trip log")
struct TripLogTests {
    private var log = TripLog()

    @Test("A trip begins when the vehicle moves, ends when it is parked, and is reported at both ends.")
    mutating func ordinary() throws {
        #expect(depart(100).isEmpty)
        #expect(!log.isDeclared && log.number == 1)
        #expect(log.confirm() == [TripEvent(report: TripReport(number: 1))])
        #expect(log.confirm().isEmpty)
        let summary = try #require(arrive(700, odometer: 9000).first?.summary)
        #expect(summary.start == Samples.home && summary.started == Samples.start + .seconds(100))
        #expect(summary.ended == Samples.start + .seconds(700))
        #expect(summary.distance == Metres(9000))
        #expect(!log.isDeclared && log.number == nil && log.count == 1)
    }

    @Test("A trip ends where the vehicle stopped.")
    mutating func destination() throws {
        let there = try #require(Coordinate(latitude: 52.4, longitude: 4.9))
        _ = depart(100)
        _ = log.confirm()
        let end = try #require(log.arrive(at: moment(700, at: there), gap: .zero).first?.report.summary)
        #expect(end.start == Samples.home && end.end == there)
    }

    @Test("A false start is never reported as a trip, though its number is used.")
    mutating func falseStart() {
        _ = depart(100)
        #expect(arrive(200).isEmpty)
        _ = depart(300)
        #expect(log.confirm().map(\.report.number) == [2])
    }

    @Test(
        "A stop shorter than tripGap does not split a trip.",
        arguments: [(299.0, 1, stops: 1), (300, 2, stops: 0)])
    mutating func gap(seconds: Double, count: Int, stops: Int) throws {
        _ = depart(0)
        _ = log.confirm()
        #expect(arrive(1000, gap: 300).isEmpty)
        #expect(log.number == 1 && log.isPaused)
        let ended = depart(1000 + seconds, gap: 300)
        #expect(ended.map(\.number) == (count == 1 ? [] : [1]))
        #expect(log.count == count)
        _ = log.confirm()
        #expect(log.endGap().isEmpty)
        _ = arrive(2000, gap: 300)
        #expect(log.endGap().map { $0.report.summary?.stops } == [stops])
    }

    @Test("A trip with a pending stop ends once, when tripGap is over.")
    mutating func gapOver() throws {
        _ = depart(0)
        _ = log.confirm()
        _ = arrive(1000, odometer: 500, gap: 300)
        let summary = try #require(log.endGap().first?.report.summary)
        #expect(summary.ended == Samples.start + .seconds(1000) && summary.distance == Metres(500))
        #expect(log.endGap().isEmpty)
    }

    @Test("The times of a trip in motion, idle and without a fix are exactly its duration.")
    mutating func figures() throws {
        _ = depart(0)
        _ = log.confirm()
        for second in 1...100 { log.add(try Samples.accepted(Double(second), speed: 10), isAtRest: false) }
        for second in 101...130 { log.add(try Samples.accepted(Double(second)), isAtRest: true) }
        log.add(try Samples.accepted(230, speed: 25), isAtRest: false)
        log.add(try Samples.accepted(231, speed: 12), isAtRest: false)
        // The vehicle stands after the fix at 231 s, and the engine confirms the stop at 400 s.
        for second in 232...400 { log.add(try Samples.accepted(Double(second)), isAtRest: true) }
        log.addRecord()
        log.addRecord()
        let summary = try #require(arrive(231, odometer: 3000).first?.summary)
        #expect(summary.moving == .seconds(101))
        #expect(summary.idle == .seconds(30))
        #expect(summary.withoutFix == .seconds(100))
        #expect(summary.topSpeed == MetresPerSecond(25))
        #expect(summary.records == 2)
    }

    @Test("A stop that did not split the trip counts as idle time.")
    mutating func figuresWithStop() throws {
        _ = depart(0)
        _ = log.confirm()
        for second in 1...100 { log.add(try Samples.accepted(Double(second), speed: 10), isAtRest: false) }
        for second in 101...280 { log.add(try Samples.accepted(Double(second)), isAtRest: true) }
        _ = arrive(100, gap: 600)
        _ = depart(500, gap: 600)
        _ = log.confirm()
        for second in 501...600 { log.add(try Samples.accepted(Double(second), speed: 10), isAtRest: false) }
        _ = arrive(600, gap: 600)
        let summary = try #require(log.endGap().first?.report.summary)
        #expect(summary.moving == .seconds(200))
        #expect(summary.idle == .seconds(400))
        #expect(summary.withoutFix == .zero)
    }

    @Test("A part without fixes at the end of a trip counts as time without a fix.")
    mutating func garage() throws {
        _ = depart(0)
        _ = log.confirm()
        for second in 1...100 { log.add(try Samples.accepted(Double(second), speed: 10), isAtRest: false) }
        let summary = try #require(arrive(160).first?.summary)
        #expect(summary.moving == .seconds(100) && summary.withoutFix == .seconds(60) && summary.idle == .zero)
    }

    @Test("A trip does not become longer if the odometer is set during it.")
    mutating func odometer() throws {
        _ = depart(0, odometer: 1000)
        _ = log.confirm()
        log.odometerWasSet(from: Metres(1400), to: Metres(50_000))
        #expect(try #require(arrive(100, odometer: 50_200).first?.summary).distance == Metres(600))
    }

    @Test("A trip's top speed comes only from fixes with a reliable speed.")
    mutating func topSpeed() throws {
        _ = depart(0)
        _ = log.confirm()
        log.add(try Samples.accepted(1, speed: 2.4), isAtRest: false)
        log.add(try Samples.accepted(2, speed: nil), isAtRest: false)
        #expect(try #require(arrive(10).first?.summary).topSpeed == nil)
    }

    @Test("A false start does not change the end and the figures of the waiting trip.")
    mutating func falseStartInGap() throws {
        _ = depart(0)
        _ = log.confirm()
        for second in 1...100 { log.add(try Samples.accepted(Double(second), speed: 10), isAtRest: false) }
        _ = arrive(100, odometer: 1000, gap: 600)
        let before = log
        #expect(depart(300, odometer: 1000, gap: 600).isEmpty)
        #expect(log.number == 1 && !log.isPaused)
        log.add(try Samples.accepted(301, speed: 3), isAtRest: false)
        log.addRecord()
        #expect(arrive(310, odometer: 1010, gap: 600).isEmpty)
        #expect(log == before && log.isPaused)
        let summary = try #require(log.endGap().first?.report.summary)
        #expect(summary.ended == Samples.start + .seconds(100) && summary.distance == Metres(1000))
        #expect(summary.stops == 0 && summary.idle == .zero)
    }

    @Test("A false start is dropped at once, although tripGap is set.")
    mutating func falseStartDoesNotWait() {
        _ = depart(100)
        #expect(arrive(200, gap: 600).isEmpty)
        #expect(log.number == nil && !log.isPaused)
    }

    @Test("A waiting trip keeps its length if the odometer is set during a false start.")
    mutating func odometerInDoubt() throws {
        _ = depart(0, odometer: 1000)
        _ = log.confirm()
        _ = arrive(100, odometer: 1500, gap: 600)
        _ = depart(200, odometer: 1500, gap: 600)
        log.odometerWasSet(from: Metres(1500), to: Metres(9000))
        _ = arrive(260, odometer: 9000, gap: 600)
        _ = depart(300, odometer: 9000, gap: 600)
        _ = log.confirm()
        _ = arrive(400, odometer: 9200, gap: 600)
        #expect(log.endGap().first?.report.summary?.distance == Metres(700))
    }

    @Test("A trip keeps its driver although the driver's beacon is lost for a while, and has the last tag set.")
    mutating func labels() {
        _ = log.depart(at: moment(0), gap: .seconds(600))
        _ = log.confirm()
        _ = log.arrive(
            at: moment(100, TripLabels(vehicle: "Van 1", driver: "Ada", tag: "day")), gap: .seconds(600))
        _ = log.depart(at: moment(200), gap: .seconds(600))
        _ = log.confirm()
        _ = log.arrive(at: moment(300, TripLabels(driver: "Bob", tag: "night")), gap: .seconds(600))
        #expect(log.endGap().map(\.end?.labels) == [TripLabels(vehicle: "Van 1", driver: "Bob", tag: "night")])
    }

    @Test("An estimated end of a trip is corrected when the time becomes known, and only then.")
    mutating func guessedEnd() {
        _ = depart(0)
        _ = log.confirm()
        var guess = moment(100)
        guess.time.isTrusted = false
        _ = log.arrive(at: guess, gap: .seconds(600))
        log.correct(by: .seconds(1000))
        log.correct(by: .seconds(1000))
        let ended = log.endGap()
        #expect(ended.first?.report.summary?.started == Samples.start)
        #expect(ended.first?.report.summary?.ended == Samples.start + .seconds(1100))
        #expect(ended.first?.end?.isDated == true)
    }

    @Test("A trip written by an earlier version is read, with an unknown driver.")
    mutating func earlierVersion() throws {
        let text = """
            {"count":3,"trip":{"number":3,"report":{"number":3,"metadata":[]},"isByHand":false,"isDated":true,
            "isTold":true,"odometerAtStart":5,"pausedAt":1767225779062,
            "summary":{"started":1767225700000,"ended":1767225779062,"distance":7,"moving":[0,0],"idle":[0,0],
            "withoutFix":[0,0],"records":2,"stops":0}}}
            """
        log = try JSONDecoder().decode(TripLog.self, from: Data(text.utf8))
        #expect(log.isPaused)
        let ended = log.endGap()
        #expect(ended.map(\.report.number) == [3])
        #expect(ended.first?.end == TripEvent.End(labels: TripLabels(), isDated: true, isParked: true))
    }

    private mutating func depart(_ seconds: Double, odometer: Double = 0, gap: Int = 0) -> [TripReport] {
        log.depart(at: moment(seconds, odometer: odometer), gap: .seconds(gap)).map(\.report)
    }

    private mutating func arrive(_ seconds: Double, odometer: Double = 0, gap: Int = 0) -> [TripReport] {
        log.arrive(at: moment(seconds, odometer: odometer), gap: .seconds(gap)).map(\.report)
    }

    private func moment(
        _ seconds: Double, at place: Coordinate? = Samples.home, odometer: Double = 0,
        _ labels: TripLabels = TripLabels()
    ) -> TripMoment {
        TripMoment(
            time: UTCTime(Samples.start + Duration(inSeconds: seconds), isTrusted: true), place: place,
            odometer: Metres(odometer), labels: labels)
    }
}
